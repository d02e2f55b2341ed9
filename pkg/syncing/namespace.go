package syncing

import (
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// builtinNamespaces are in every cluster.
var builtinNamespaces = []string{"default", "kube-system", "kube-public", "kube-node-lease"}

// needNamespaces lists the namespaces that are to be there before what is made in them.
func (x *index) needNamespaces(out *Round) {
	needed := map[correspond.Ref]bool{}
	for _, op := range out.Operations {
		ref := correspond.Ref{Place: op.Ref.Place, ID: krm.ID{Kind: "Namespace", Name: op.Ref.Namespace}}
		if op.Action == correspond.ActionCreate && op.Ref.Namespace != "" && x.byRef[ref] == nil &&
			!slices.Contains(builtinNamespaces, ref.Name) {
			needed[ref] = true
		}
	}
	for ref := range needed {
		out.Namespaces = append(out.Namespaces, ref)
	}
	slices.SortFunc(out.Namespaces, func(a, b correspond.Ref) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Name, b.Name))
	})
}
