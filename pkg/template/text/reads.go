package text

import (
	"slices"
	"strings"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// ReadsOnly reports whether all that the template reads of its data is at one of some paths, such as
// "Object.metadata.name", or below it. It is false where that cannot be told, as in a block that is given other data.
func (t *Template) ReadsOnly(paths ...string) bool {
	for _, tree := range t.trees {
		if !readsOnly(tree.Root, paths) {
			return false
		}
	}
	return len(t.trees) == 1 // a template that is called is given data of its own
}

func readsOnly(n parse.Node, paths []string) bool {
	switch n := n.(type) {
	case *parse.WithNode, *parse.RangeNode, *parse.TemplateNode, *parse.ChainNode, *parse.DotNode:
		return false // which have fields of something else, or all there is
	case *parse.FieldNode:
		return isBelow(n.Ident, paths)
	case *parse.VariableNode: // others than $ hold what was read elsewhere
		return n.Ident[0] != "$" || isBelow(n.Ident[1:], paths)
	}
	only := true
	template.Children(n, func(c parse.Node) { only = only && readsOnly(c, paths) })
	return only
}

func isBelow(fields, paths []string) bool {
	at := strings.Join(fields, ".") + "."
	return slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(at, p+".") })
}
