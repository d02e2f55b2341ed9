package correspond

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Key is the canonical key of o: group/Kind/namespace/name with empty parts kept. It has no version and no uid, so that
// files and clusters agree and a recreated object has the same key.
func Key(o *krm.Object) string { return o.ID().String() }

// KeyIn is the canonical key of an object in one of several clusters; "" is no particular cluster.
func KeyIn(cluster string, id krm.ID) string {
	if cluster == "" {
		return id.String()
	}
	return cluster + "|" + id.String()
}

// MapKey is the label value for a canonical key: selectable, never parsed.
func MapKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "m1-" + hex.EncodeToString(sum[:])[:40]
}

// ParseKey parses a canonical key. The text before a "|" is a cluster only if it can be one: a name, the last part of a
// key, may contain a "|" as well.
func ParseKey(key string) (cluster string, id krm.ID, err error) {
	rest := key
	if before, after, found := strings.Cut(key, "|"); found && !strings.Contains(before, "/") {
		cluster, rest = before, after
	}
	parts := strings.SplitN(rest, "/", 4)
	if len(parts) != 4 || parts[1] == "" || parts[3] == "" {
		return "", krm.ID{}, fmt.Errorf("%q is no canonical key, which is group/Kind/namespace/name", key)
	}
	return cluster, krm.ID{Group: parts[0], Kind: parts[1], Namespace: parts[2], Name: parts[3]}, nil
}

// Generation identifies what an object of an API server requests. It includes the annotation that allows an empty
// selection, which API servers do not count in the generation.
func Generation(o *krm.Object) string {
	return o.String("metadata", "uid") + "/" + o.String("metadata", "generation") + "/" + o.Annotation(selection.Annotation)
}

// Ref identifies an object: its identity, and in which of several places it is.
type Ref struct {
	// Place distinguishes sides, clusters or workspaces; "" where there is only one.
	Place string
	krm.ID
}

// String is the canonical key: "<place>|" if there is one, then group/Kind/namespace/name.
func (r Ref) String() string { return KeyIn(r.Place, r.ID) }
