package expansion

import "text/template/parse"

// walk visits n and every node below it, in the order of the text.
func walk(n parse.Node, visit func(parse.Node)) {
	visit(n)
	for _, c := range children(n) {
		walk(c, visit)
	}
}

// children lists the nodes right below n.
func children(n parse.Node) (out []parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		return n.Nodes
	case *parse.ActionNode:
		return []parse.Node{n.Pipe}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			out = append(out, c)
		}
	case *parse.CommandNode:
		return n.Args
	case *parse.ChainNode:
		return []parse.Node{n.Node}
	case *parse.TemplateNode:
		if n.Pipe != nil {
			return []parse.Node{n.Pipe}
		}
	case *parse.IfNode:
		return parts(&n.BranchNode)
	case *parse.WithNode:
		return parts(&n.BranchNode)
	case *parse.RangeNode:
		return parts(&n.BranchNode)
	}
	return out
}

func parts(b *parse.BranchNode) []parse.Node {
	out := []parse.Node{b.Pipe, b.List}
	if b.ElseList != nil {
		out = append(out, b.ElseList)
	}
	return out
}
