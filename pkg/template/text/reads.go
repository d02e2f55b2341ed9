package text

import (
	"slices"
	"strings"
	"text/template/parse"
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
	var below []parse.Node
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return true
		}
		below = n.Nodes
	case *parse.ActionNode:
		below = []parse.Node{n.Pipe}
	case *parse.IfNode:
		below = []parse.Node{n.Pipe, n.List, n.ElseList}
	case *parse.WithNode, *parse.RangeNode, *parse.TemplateNode, *parse.ChainNode, *parse.DotNode:
		return false // which have fields of something else, or all there is
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			below = append(below, c.Args...)
		}
	case *parse.FieldNode:
		return isBelow(n.Ident, paths)
	case *parse.VariableNode: // others than $ hold what was read elsewhere
		return n.Ident[0] != "$" || isBelow(n.Ident[1:], paths)
	}
	return !slices.ContainsFunc(below, func(n parse.Node) bool { return !readsOnly(n, paths) })
}

func isBelow(fields, paths []string) bool {
	at := strings.Join(fields, ".") + "."
	return slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(at, p+".") })
}
