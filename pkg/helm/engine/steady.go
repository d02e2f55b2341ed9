package engine

import (
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// steadyAmong are the templates whose text is the same in all files of a chart, for the same values: neither they nor those that they
// call read Template of the top level, which says what file is rendered.
func steadyAmong(trees map[string]*parse.Tree) map[string]bool {
	steady, calls := map[string]bool{}, map[string][]string{}
	for name, tree := range trees {
		s := &steadiness{steady: true}
		s.node(tree.Root, true)
		steady[name], calls[name] = s.steady, s.calls
	}
	for again := true; again; {
		again = false
		for name, called := range calls {
			for _, c := range called {
				if steady[name] && !steady[c] {
					steady[name], again = false, true
				}
			}
		}
	}
	return steady
}

// steadiness is what a template reads and calls.
type steadiness struct {
	steady bool
	calls  []string
}

// node visits a node. top is whether the dot is the top level. It may be handed on to a template with a constant name, and fields other
// than Template may be read; all else may reach Template.
func (s *steadiness) node(n parse.Node, top bool) {
	switch n := n.(type) {
	case *parse.DotNode:
		s.steady = s.steady && !top
	case *parse.VariableNode:
		s.steady = s.steady && (n.Ident[0] != "$" || len(n.Ident) > 1)
		s.fields(n.Ident)
	case *parse.FieldNode:
		s.fields(n.Ident)
	case *parse.ChainNode:
		s.fields(n.Field)
	case *parse.IdentifierNode:
		s.steady = s.steady && n.Ident != "tpl" && n.Ident != "include" // but see command
	}
	switch n := n.(type) {
	case *parse.CommandNode:
		s.command(n, top)
	case *parse.TemplateNode:
		s.calls = append(s.calls, n.Name)
		if n.Pipe != nil && !isRoot(onlyArgument(n.Pipe)) {
			s.node(n.Pipe, top)
		}
	case *parse.WithNode:
		s.branch(&n.BranchNode, top)
	case *parse.RangeNode:
		s.branch(&n.BranchNode, top)
	default:
		template.Children(n, func(c parse.Node) { s.node(c, top) })
	}
}

func (s *steadiness) fields(names []string) {
	for _, name := range names {
		s.steady = s.steady && name != "Template"
	}
}

// branch visits a block that has another dot.
func (s *steadiness) branch(b *parse.BranchNode, top bool) {
	s.node(b.Pipe, top)
	s.node(b.List, false)
	if b.ElseList != nil {
		s.node(b.ElseList, top)
	}
}

// command visits a call. An include of a constant name with the top level is a call of that template.
func (s *steadiness) command(c *parse.CommandNode, top bool) {
	args := c.Args
	if template.IsFunction(args[0], "include") && len(args) == 3 {
		if name, is := args[1].(*parse.StringNode); is {
			s.calls = append(s.calls, name.Text)
			if args = args[2:]; isRoot(args[0]) {
				return
			}
		}
	}
	for _, arg := range args {
		s.node(arg, top)
	}
}

func onlyArgument(p *parse.PipeNode) parse.Node {
	if len(p.Cmds) == 1 && len(p.Cmds[0].Args) == 1 {
		return p.Cmds[0].Args[0]
	}
	return nil
}

// isRoot reports whether a node is the top level, or the dot where that is something else, by itself.
func isRoot(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.DotNode:
		return true
	case *parse.VariableNode:
		return len(n.Ident) == 1 && n.Ident[0] == "$"
	}
	return false
}
