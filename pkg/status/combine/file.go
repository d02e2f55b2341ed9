package combine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
)

// clusterFolder is the folder for cluster-scoped objects. No namespace can have that name.
const clusterFolder = "_cluster"

// longestKind is how many bytes of the kind a file name has.
const longestKind = 100

// Path is the file of an object's CombinedStatus, unless that of a kind with the same lower-case name, in another API group,
// has it already.
func Path(s status.Subject) string { return stem(s) + ".yaml" }

func stem(s status.Subject) string {
	folder := s.Namespace
	if folder == "" {
		folder = clusterFolder
	}
	kind := escape(strings.ToLower(s.Kind))
	return path.Join("status", s.Policy, folder, kind[:min(len(kind), longestKind)]+"_"+s.Name)
}

// escape replaces all but letters, digits and "-" by %XX, so that the result is valid in file names everywhere. Label values
// need no escaping.
func escape(kind string) string {
	var b strings.Builder
	for i := range len(kind) {
		if c := kind[i]; c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// file makes items of the CombinedStatuses. One that has a file from an earlier run keeps it, so those are reserved first.
func file(objects []Object, items []*krm.Object) (out []*krm.Object) {
	before := map[krm.ID]string{}
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) == Name {
			before[o.ID()] = o.File()
		}
	}
	taken := map[string]bool{}
	for _, o := range objects {
		if o.Combined != nil {
			taken[before[krm.ID{Group: control.Group, Kind: o.Combined.Kind, Namespace: o.Combined.Namespace, Name: o.Combined.Name}]] = true
		}
	}
	for _, o := range objects {
		if o.Combined == nil {
			continue
		}
		item := itemOf(o)
		place := before[item.ID()]
		if place == "" {
			place = choose(o.Subject, taken)
		}
		item.SetPath(place, 0)
		out = append(out, item)
	}
	return out
}

// choose returns a file that is free.
func choose(s status.Subject, taken map[string]bool) string {
	place := Path(s)
	if taken[place] {
		sum := sha256.Sum256([]byte(origin(s)))
		place = stem(s) + "_" + hex.EncodeToString(sum[:])[:12] + ".yaml"
	}
	taken[place] = true
	return place
}

// itemOf converts a CombinedStatus, which always has a form as YAML.
func itemOf(o Object) *krm.Object {
	item, err := krm.FromTyped(o.Combined)
	if err != nil {
		panic(fmt.Sprintf("write the CombinedStatus of %s: %v", o.Subject, err))
	}
	item.SetAnnotation(fn.Origin, origin(o.Subject))
	return item
}

// origin is the identity of the object of a CombinedStatus.
func origin(s status.Subject) string {
	return krm.ID{Group: s.Group, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}.String()
}
