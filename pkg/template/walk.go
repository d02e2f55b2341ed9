package template

import "text/template/parse"

// Walk visits n and every node below it, in the order of the text.
func Walk(n parse.Node, visit func(parse.Node)) {
	visit(n)
	Children(n, func(c parse.Node) { Walk(c, visit) })
}

// Children visits the nodes right below n, in the order of the text.
func Children(n parse.Node, visit func(parse.Node)) {
	switch n := n.(type) {
	case *parse.ListNode:
		each(n.Nodes, visit)
	case *parse.ActionNode:
		visit(n.Pipe)
	case *parse.PipeNode:
		each(n.Cmds, visit)
	case *parse.CommandNode:
		each(n.Args, visit)
	case *parse.ChainNode:
		visit(n.Node)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			visit(n.Pipe)
		}
	case *parse.IfNode:
		branches(&n.BranchNode, visit)
	case *parse.WithNode:
		branches(&n.BranchNode, visit)
	case *parse.RangeNode:
		branches(&n.BranchNode, visit)
	}
}

func each[N parse.Node](nodes []N, visit func(parse.Node)) {
	for _, n := range nodes {
		visit(n)
	}
}

func branches(b *parse.BranchNode, visit func(parse.Node)) {
	visit(b.Pipe)
	visit(b.List)
	if b.ElseList != nil {
		visit(b.ElseList)
	}
}

// IsFunction reports whether n is the name of that function.
func IsFunction(n parse.Node, name string) bool {
	id, ok := n.(*parse.IdentifierNode)
	return ok && id.Ident == name
}
