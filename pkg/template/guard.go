package template

import (
	"maps"
	"slices"
	"text/template"
	"text/template/parse"
)

// Guard describes the calls that are added to parsed templates to keep them within limits. Its functions have names that
// the parser does not know, so that no template can call them.
type Guard struct {
	// Cost is the work of running a node once, without the nodes below it.
	Cost func(parse.Node) int
	// Round makes the first node of each round of a loop, for the work of its body.
	Round func(at parse.Pos, work int) []parse.Node
	// Over is called with the range of each loop, and Print with the text of each action; they return it. Done is
	// called after each loop. Print and Done may be "", for none.
	Over, Print, Done string
	// Prints tells the actions to which Print is added; nil: all.
	Prints func(*parse.ActionNode) bool
}

// Add adds guards to all nodes below n, and returns the work of running n once, without the bodies of loops: they count
// on every round.
func (g *Guard) Add(n parse.Node) int {
	work := g.Cost(n)
	loop, _ := n.(*parse.RangeNode)
	Children(n, func(c parse.Node) {
		below := g.Add(c)
		if loop != nil && c == loop.List {
			loop.List.Nodes = append(g.Round(loop.Pos, below), loop.List.Nodes...)
			return
		}
		work += below
	})
	switch n := n.(type) {
	case *parse.ListNode:
		g.closeLoops(n)
	case *parse.ActionNode:
		if g.Print != "" && len(n.Pipe.Decl) == 0 && (g.Prints == nil || g.Prints(n)) {
			n.Pipe.Cmds = append(n.Pipe.Cmds, Call(n.Pos, g.Print))
		}
	case *parse.RangeNode:
		last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1]
		n.Pipe.Cmds = append(n.Pipe.Cmds, Call(last.Args[0].Position(), g.Over)) // an error of the loop has this place
	}
	return work
}

// NodeSteps is a base for Cost: the steps of reading a node, without the functions that it calls.
func NodeSteps(n parse.Node) int {
	switch n := n.(type) {
	case *parse.CommandNode:
		return len(n.Args)
	case *parse.ChainNode:
		return len(n.Field)
	case *parse.FieldNode:
		return len(n.Ident)
	case *parse.VariableNode:
		return len(n.Ident)
	case *parse.ListNode, *parse.IdentifierNode, *parse.StringNode, *parse.NumberNode, *parse.BoolNode, *parse.DotNode, *parse.NilNode:
		return 0
	}
	return 1
}

// closeLoops calls Done after each loop of l.
func (g *Guard) closeLoops(l *parse.ListNode) {
	if g.Done == "" {
		return
	}
	var nodes []parse.Node
	for _, n := range l.Nodes {
		nodes = append(nodes, n)
		if _, loop := n.(*parse.RangeNode); loop {
			nodes = append(nodes, Action(n.Position(), g.Done))
		}
	}
	l.Nodes = nodes
}

// Link makes parsed templates executable. Trees are shared, not copied: execution only reads them.
func Link(name string, trees map[string]*parse.Tree, functions map[string]any, options ...string) *template.Template {
	t := template.New(name).Option(options...).Funcs(functions)
	for _, n := range slices.Sorted(maps.Keys(trees)) {
		template.Must(t.AddParseTree(n, trees[n])) // fails only for a template that ran already
	}
	return t
}
