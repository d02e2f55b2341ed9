package setnamespace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// upstreamIdentifier is the annotation of kpt with the identity that an object had in the upstream
// package: group|Kind|namespace|name, with noNamespace for none.
const upstreamIdentifier, noNamespace = krm.MergeMarkPrefix + "upstream-identifier", "~C"

// originOf is the upstream identity of o; the zero ID when that is not known.
func originOf(o *krm.Object) krm.ID {
	part := strings.Split(o.Annotation(upstreamIdentifier), "|")
	if len(part) != 4 {
		return krm.ID{}
	}
	id := krm.ID{Group: part[0], Kind: part[1], Namespace: part[2], Name: part[3]}
	if id.Namespace == noNamespace {
		id.Namespace = ""
	}
	return id
}

// checkOrigins refuses to merge several upstream namespaces without a namespaceMatcher. Objects that come
// from the new namespace do not count: kpt marks an object that was added here, after it was moved, as if
// it came from there.
func (m *mover) checkOrigins(items []*krm.Object) error {
	if m.opts.NamespaceMatcher != "" {
		return nil
	}
	origins := map[string]string{} // and one object of each
	for _, o := range items {
		ns := originOf(o).Namespace
		if ns == "" || ns == m.opts.Namespace || keepsNamespace(o) || !m.namespaced(o) {
			continue
		}
		if one := ns + ": " + o.Describe(); origins[ns] == "" || one < origins[ns] { // in any order
			origins[ns] = one
		}
	}
	if len(origins) > 1 {
		return severalNamespaces(slices.Sorted(maps.Values(origins)))
	}
	return nil
}

// severalNamespaces is the error for objects in several namespaces without a namespaceMatcher.
func severalNamespaces(all []string) error {
	return fmt.Errorf("the objects come from %d namespaces (%s); say with namespaceMatcher which of them to move",
		len(all), strings.Join(all, ", "))
}
