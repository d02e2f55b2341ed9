package text

import (
	"slices"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Names of the functions that are added to templates.
const guardEnter, guardLeave, guardStep, guardOver, guardPrint = "guardEnter", "guardLeave", "guardStep", "guardOver", "guardPrint"

func (b *budget) guards() map[string]any {
	return map[string]any{
		guardEnter: b.enter, guardOver: b.over, guardPrint: b.print,
		guardLeave: func() string { b.depth--; return "" },
		guardStep:  func(steps int) (string, error) { return "", b.spend(steps) }, // at the beginning of each round of a loop
	}
}

// cost is the steps of a node without its children.
func cost(n parse.Node) int {
	steps := template.NodeSteps(n)
	switch n := n.(type) {
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 { // it is written
			steps += callSteps
		}
	case *parse.RangeNode:
		steps += callSteps
	}
	return steps
}

func round(at parse.Pos, work int) []parse.Node {
	return []parse.Node{template.Steps(at, guardStep, roundSteps+work)}
}

// guard adds guards to the parsed template, and records the functions that it uses.
func (t *Template) guard() error {
	declared := 0
	guard := template.Guard{Round: round, Over: guardOver, Print: guardPrint, Cost: func(n parse.Node) int {
		switch n := n.(type) {
		case *parse.PipeNode:
			declared += len(n.Decl)
		case *parse.CommandNode:
			t.failing(n)
		case *parse.IdentifierNode:
			if f := functionsByName()[n.Ident]; f != nil && !slices.Contains(t.uses, n.Ident) {
				t.uses, t.mutates = append(t.uses, n.Ident), t.mutates || f.mutates
			}
		}
		return cost(n)
	}}
	for _, tree := range t.trees {
		root := tree.Root
		root.Nodes = append([]parse.Node{template.Steps(root.Pos, guardEnter, roundSteps+guard.Add(root))}, root.Nodes...)
		root.Nodes = append(root.Nodes, template.Action(root.Pos, guardLeave))
	}
	if declared > maxDeclared {
		return template.Refuse("it declares variables in more than %d places", maxDeclared)
	}
	return nil
}

// failing records the constant messages of fail: they hold no value.
func (t *Template) failing(c *parse.CommandNode) {
	if template.IsFunction(c.Args[0], "fail") && len(c.Args) == 2 {
		if message, is := c.Args[1].(*parse.StringNode); is {
			t.messages[message.Text] = true
		}
	}
}
