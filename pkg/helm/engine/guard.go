package engine

import (
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Names of the functions that are added to templates. Templates cannot call them: the parser does not know them.
const (
	guardEnter, guardLeave, guardStep = "guardEnter", "guardLeave", "guardStep"
	guardOver, guardPrint             = "guardOver", "guardPrint"
	guardMade, guardEncoded           = "guardMade", "guardEncoded"
)

func (b *budget) guards() map[string]any {
	return map[string]any{
		guardEnter: b.enter, guardLeave: b.leave, guardStep: b.step,
		guardOver: b.over, guardPrint: b.printed, guardMade: b.called, guardEncoded: b.encoded,
	}
}

// guarded adds guards to a parsed template, and calls used with the name of each function in it.
func guarded(tree *parse.Tree, used func(function string)) {
	declared := 0
	template.Walk(tree.Root, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.PipeNode:
			declared += len(n.Decl)
			guardMethods(n)
		case *parse.CommandNode:
			guardArguments(n)
		case *parse.IdentifierNode:
			used(n.Ident)
		}
	})
	guard := template.Guard{
		Round: round, Over: guardOver, Print: guardPrint, Prints: mayBeNoText,
		Cost: func(n parse.Node) int { return cost(n, declared) },
	}
	root := tree.Root
	root.Nodes = append([]parse.Node{template.Steps(root.Pos, guardEnter, roundSteps+guard.Add(root))}, root.Nodes...)
	root.Nodes = append(root.Nodes, template.Action(root.Pos, guardLeave))
}

// cost is the steps of a node without its children. A variable is searched among all that are declared.
func cost(n parse.Node, declared int) int {
	switch n.(type) {
	case *parse.ActionNode, *parse.RangeNode:
		return template.NodeSteps(n) + callSteps
	case *parse.VariableNode:
		return template.NodeSteps(n) + declared/32
	}
	return template.NodeSteps(n)
}

func round(at parse.Pos, work int) []parse.Node {
	return []parse.Node{template.Steps(at, guardStep, roundSteps+work)}
}

// mayBeNoText reports whether an action may write anything but a text, whose cost output draws.
func mayBeNoText(n *parse.ActionNode) bool {
	last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0]
	id, is := last.(*parse.IdentifierNode)
	return !is || !makesText()[id.Ident]
}

// guardMethods draws the cost of what methods make, such as .Files.Get: a call of a guard follows each.
func guardMethods(p *parse.PipeNode) {
	var cmds []*parse.CommandNode
	for i, c := range p.Cmds {
		cmds = append(cmds, c)
		guard := guardOf(c.Args[0], i > 0 || len(c.Args) > 1)
		there := i+1 < len(p.Cmds) && template.IsFunction(p.Cmds[i+1].Args[0], guard)
		if guard != "" && !there {
			cmds = append(cmds, template.Call(c.Pos, guard))
		}
	}
	p.Cmds = cmds
}

// guardArguments does the same for methods that are called as arguments.
func guardArguments(c *parse.CommandNode) {
	for i, arg := range c.Args[1:] {
		if guard := guardOf(arg, false); guard != "" {
			call := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: arg.Position(), Args: []parse.Node{arg}}
			c.Args[i+1] = template.Pipe(arg.Position(), call, template.Call(arg.Position(), guard))
		}
	}
}

// guardOf is the guard of a node that calls a method, "" of any other: what has fields in data takes no arguments.
func guardOf(n parse.Node, hasArguments bool) string {
	var names []string
	switch n := n.(type) {
	case *parse.FieldNode:
		names = n.Ident
	case *parse.ChainNode:
		names = n.Field
	case *parse.VariableNode:
		names = n.Ident[1:]
	}
	switch {
	case len(names) == 0:
		return ""
	case names[len(names)-1] == "AsConfig", names[len(names)-1] == "AsSecrets":
		return guardEncoded
	case hasArguments:
		return guardMade
	}
	return ""
}
