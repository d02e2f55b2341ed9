package template

import (
	"strconv"
	"text/template/parse"
)

// Pipe is a pipe of commands.
func Pipe(at parse.Pos, cmds ...*parse.CommandNode) *parse.PipeNode {
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: at, Cmds: cmds}
}

// Call is a call of a function.
func Call(at parse.Pos, function string, args ...parse.Node) *parse.CommandNode {
	id := parse.NewIdentifier(function).SetPos(at)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: append([]parse.Node{id}, args...)}
}

// Action is a call of a function whose result is written.
func Action(at parse.Pos, function string, args ...parse.Node) *parse.ActionNode {
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: at, Pipe: Pipe(at, Call(at, function, args...))}
}

// Steps is a call of a guard with the steps of a round of a loop, or of a template.
func Steps(at parse.Pos, guard string, n int) *parse.ActionNode {
	return Action(at, guard, &parse.NumberNode{NodeType: parse.NodeNumber, Pos: at, IsInt: true, Int64: int64(n), Text: strconv.Itoa(n)})
}

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
