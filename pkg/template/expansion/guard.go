package expansion

import (
	"slices"
	"text/template/parse"
)

// Names of the functions that guards call. They begin with a letter because text/template asks for
// that; templates cannot name them, because parsing knows only the built-in functions.
const (
	guardRange = "guardRange" // a loop over this begins
	guardDone  = "guardDone"  // it has ended
	guardSize  = "guardSize"  // this value is looked at as a whole
)

// guardList builds guards into everything below l and returns the work of running l once, without
// the bodies of loops, which count for themselves on every round.
func guardList(l *parse.ListNode) int {
	weight := 0
	var nodes []parse.Node
	for _, n := range l.Nodes {
		weight += guardNode(n)
		nodes = append(nodes, n)
		if _, loop := n.(*parse.RangeNode); loop {
			nodes = append(nodes, action(n.Position(), guardDone))
		}
	}
	l.Nodes = nodes
	return weight
}

func guardNode(n parse.Node) int {
	switch n := n.(type) {
	case *parse.ActionNode:
		return 1 + guardPipe(n.Pipe)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			return workOfCall + guardPipe(n.Pipe)
		}
		return workOfCall
	case *parse.IfNode:
		return 1 + guardBranch(&n.BranchNode)
	case *parse.WithNode:
		return 1 + guardBranch(&n.BranchNode)
	case *parse.RangeNode:
		return 1 + guardLoop(&n.BranchNode)
	}
	return 1
}

func guardBranch(b *parse.BranchNode) int {
	weight := guardPipe(b.Pipe) + guardList(b.List)
	if b.ElseList != nil {
		weight += guardList(b.ElseList)
	}
	return weight
}

func guardLoop(b *parse.BranchNode) int {
	weight := guardPipe(b.Pipe)
	b.Pipe.Cmds = append(b.Pipe.Cmds, call(b.Pos, guardRange))
	prependStep(b.List, guardList(b.List))
	if b.ElseList != nil {
		weight += guardList(b.ElseList)
	}
	return weight
}

// Work of a round of a loop, of a call of a defined template, and of looking at a value as a whole:
// the body, what is called and the size of the value aside. A node is 1.
const workOfRound, workOfCall, workOfLook = 8, 10, 10

// wholeValue are the functions whose work grows with the size of their arguments and that cannot
// count it themselves.
var wholeValue = []string{"eq", "ne", "lt", "le", "gt", "ge", "index"}

func guardPipe(p *parse.PipeNode) int {
	weight := 1 + len(p.Decl)
	var cmds []*parse.CommandNode
	for i, c := range p.Cmds {
		for _, a := range c.Args {
			weight += guardArg(a)
		}
		if id, ok := c.Args[0].(*parse.IdentifierNode); ok && slices.Contains(wholeValue, id.Ident) {
			if i > 0 {
				cmds = append(cmds, call(c.Pos, guardSize))
				weight += workOfLook
			}
			for j, a := range c.Args[1:] {
				if c.Args[j+1] = sized(a); c.Args[j+1] != a {
					weight += workOfLook
				}
			}
		}
		cmds = append(cmds, c)
	}
	p.Cmds = cmds
	return weight
}

func guardArg(a parse.Node) int {
	switch a := a.(type) {
	case *parse.PipeNode:
		return guardPipe(a)
	case *parse.ChainNode:
		return guardArg(a.Node) + chars(a.Field...)
	case *parse.FieldNode:
		return chars(a.Ident...)
	case *parse.VariableNode:
		return chars(a.Ident...)
	case *parse.StringNode:
		return chars(a.Text)
	}
	return 1
}

// chars is the work of names and constants: long ones take longer to look up and to compare.
func chars(parts ...string) int {
	n := 1
	for _, p := range parts {
		n += 1 + len(p)/64
	}
	return n
}

// sized makes arg pass by guardSize on its way. Constants do not need to: they were weighed.
func sized(arg parse.Node) parse.Node {
	switch arg.(type) {
	case *parse.FieldNode, *parse.VariableNode, *parse.ChainNode, *parse.PipeNode, *parse.DotNode:
		first := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: arg.Position(), Args: []parse.Node{arg}}
		return pipe(arg.Position(), first, call(arg.Position(), guardSize))
	}
	return arg
}

func pipe(at parse.Pos, cmds ...*parse.CommandNode) *parse.PipeNode {
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: at, Cmds: cmds}
}

func call(at parse.Pos, function string, args ...parse.Node) *parse.CommandNode {
	id := parse.NewIdentifier(function).SetPos(at)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: append([]parse.Node{id}, args...)}
}

func action(at parse.Pos, function string, args ...parse.Node) *parse.ActionNode {
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: at, Pipe: pipe(at, call(at, function, args...))}
}

// stepMark is the text that nodes made by prependStep write: its length is their work. Output
// knows it by its address, so nothing a template writes can pass for it. Text is the cheapest
// node there is, and this one runs on every round of every loop.
var stepMark = make([]byte, 1<<12)

// prependStep makes running l begin by counting its work: weight, and what beginning costs.
func prependStep(l *parse.ListNode, weight int) {
	var marks []parse.Node
	for left := weight + workOfRound; left > 0; left -= len(stepMark) {
		marks = append(marks, &parse.TextNode{NodeType: parse.NodeText, Pos: l.Pos, Text: stepMark[:min(left, len(stepMark))]})
	}
	l.Nodes = append(marks, l.Nodes...)
}

// isStep reports whether p is the text of a node made by prependStep.
func isStep(p []byte) bool { return len(p) > 0 && &p[0] == &stepMark[0] }
