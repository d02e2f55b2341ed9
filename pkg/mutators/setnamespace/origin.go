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
// said which of them is meant.
func (m *mover) checkOrigins(items []*krm.Object) error {
	if m.opts.NamespaceMatcher != "" {
		return nil
	}
	origins := map[string]bool{}
	for _, o := range items {
		if ns := originOf(o).Namespace; ns != "" && !o.IsLocalConfig() && m.namespaced(o) {
			origins[ns] = true
		}
	}
	if len(origins) > 1 {
		return fmt.Errorf("the objects come from %d namespaces (%s); say with namespaceMatcher which of them to move",
			len(origins), strings.Join(slices.Sorted(maps.Keys(origins)), ", "))
	}
	return nil
}
