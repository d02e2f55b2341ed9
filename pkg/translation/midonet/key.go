package midonet

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Key identifies a Translation, in any version. A main key is kind, namespace and name of the object. The key of a part of it
// has a kind of its own, such as Service-Port, no namespace, and a name with slashes that has every value that may change.
type Key struct{ Kind, Namespace, Name string }

// String is namespace/name, or the name alone without a namespace: ids are computed from it.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

const (
	longestName = 253                      // of an API server
	suffixSize  = 1 + 2*sha1.Size          // a hyphen and a sum in hex digits
	longestBase = longestName - suffixSize // of a name with a suffix
)

// TranslationName is the name of the Translation: kind, version and name in lower case, with a hyphen for each slash. Where
// two keys could get the same name in that way, or it is too long, it has a suffix: the SHA-1 sum of the unchanged text.
func (k Key) TranslationName(version string) string {
	raw := strings.ToLower(k.Kind) + "." + version + "." + k.Name
	base := strings.ToLower(strings.ReplaceAll(raw, "/", "-"))
	if base == raw && len(base) <= longestName {
		return base
	}
	sum := sha1.Sum([]byte(raw))
	return cut(base, longestBase) + "-" + hex.EncodeToString(sum[:])
}

// cut shortens s, up to the last byte that may end a name.
func cut(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	return strings.TrimRight(safetext.Cut(s, longest, ""), "-.")
}
