package setnamespace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// upstreamIdentifier is where kpt keeps what an object was in the package it comes from:
// group|Kind|namespace|name, with noNamespace for what has none.
const upstreamIdentifier, noNamespace = krm.MergeMarkPrefix + "upstream-identifier", "~C"

// originOf is what o was upstream; the zero ID when that is not known.
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

// checkOrigins refuses to throw what upstream kept in several namespaces into one, unless somebody
// said which of them is meant. What was made for the namespace that all go to is no matter: kpt marks what
// was added here, after it was moved, as if it came from where it is.
func (m *mover) checkOrigins(items []*krm.Object) error {
	if m.opts.NamespaceMatcher != "" {
		return nil
	}
	origins := map[string]string{} // and one object of each
	for _, o := range items {
		ns := originOf(o).Namespace
		if ns == "" || ns == m.opts.Namespace || stays(o) || !m.namespaced(o) {
			continue
		}
		if one := ns + ": " + o.Describe(); origins[ns] == "" || one < origins[ns] { // whatever their order
			origins[ns] = one
		}
	}
	if len(origins) > 1 {
		return fmt.Errorf("the objects come from %d namespaces (%s); say with namespaceMatcher which of them to move",
			len(origins), strings.Join(slices.Sorted(maps.Values(origins)), ", "))
	}
	return nil
}
