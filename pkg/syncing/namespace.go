package syncing

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

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
		if op.Action == correspond.ActionCreate && op.Ref.Namespace != "" && x.byRef[ref] == nil && !slices.Contains(builtinNamespaces, ref.Name) {
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

// mostMessage bounds a message, in bytes.
const mostMessage = 2048

// oneLine is a message on one line of bounded length.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
	if len(s) <= mostMessage {
		return s
	}
	end := mostMessage
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}
