package expansion

import (
	"slices"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Names of the functions that guards call.
const (
	guardRange = "guardRange" // begins a loop over its argument
	guardDone  = "guardDone"  // ends it
	guardSize  = "guardSize"  // counts the size of its argument
)

var guard = template.Guard{Cost: cost, Round: steps, Over: guardRange, Done: guardDone}

// Work of a round of a loop, of a call of a defined template, and of reading a whole value, without the
// body, the template and the size of the value. A node is 1.
const workOfRound, workOfCall, workOfLook = 8, 10, 10

func cost(n parse.Node) int {
	switch n := n.(type) {
	case *parse.ListNode, *parse.CommandNode:
		return 0
	case *parse.PipeNode:
		return 1 + len(n.Decl) + measureArgs(n)
	case *parse.TemplateNode:
		return workOfCall
	case *parse.ChainNode:
		return chars(n.Field...)
	case *parse.FieldNode:
		return chars(n.Ident...)
	case *parse.VariableNode:
		return chars(n.Ident...)
	case *parse.StringNode:
		return chars(n.Text)
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

// wholeValue are the functions whose work grows with the size of their arguments, and that cannot
// count it themselves.
var wholeValue = []string{"eq", "ne", "lt", "le", "gt", "ge", "index"}

// measureArgs wraps the arguments of these functions in guardSize, and returns the work of that without the nodes that it
// adds.
func measureArgs(p *parse.PipeNode) (work int) {
	var cmds []*parse.CommandNode
	for i, c := range p.Cmds {
		if id, ok := c.Args[0].(*parse.IdentifierNode); ok && slices.Contains(wholeValue, id.Ident) {
			if i > 0 {
				cmds = append(cmds, template.Call(c.Pos, guardSize))
				work += workOfLook - 1
			}
			for j, a := range c.Args[1:] {
				if c.Args[j+1] = measured(a); c.Args[j+1] != a {
					work += workOfLook - 2
				}
			}
		}
		cmds = append(cmds, c)
	}
	p.Cmds = cmds
	return work
}

// measured is arg wrapped in guardSize. Constants do not need that: their size is known.
func measured(arg parse.Node) parse.Node {
	switch at := arg.Position(); arg.(type) {
	case *parse.FieldNode, *parse.VariableNode, *parse.ChainNode, *parse.PipeNode, *parse.DotNode:
		first := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: []parse.Node{arg}}
		return template.Pipe(at, first, template.Call(at, guardSize))
	}
	return arg
}

// stepMark is the text of the nodes of steps: its length is their work. Output compares its address, so no
// text of a template can be mistaken for it. Text is the cheapest kind of node, and this one runs on every
// round of every loop.
var stepMark = make([]byte, 1<<12)

// steps prepends the node that counts the work of a list, and that of its start.
func steps(at parse.Pos, work int) (marks []parse.Node) {
	for left := work + workOfRound; left > 0; left -= len(stepMark) {
		marks = append(marks, &parse.TextNode{NodeType: parse.NodeText, Pos: at, Text: stepMark[:min(left, len(stepMark))]})
	}
	return marks
}
