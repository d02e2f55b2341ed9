package template

import (
	"maps"
	"slices"
	"strconv"
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

// Link makes parsed templates executable. Trees are shared, not copied: execution only reads them.
func Link(name string, trees map[string]*parse.Tree, functions map[string]any, options ...string) *template.Template {
	t := template.New(name).Option(options...).Funcs(functions)
	for _, n := range slices.Sorted(maps.Keys(trees)) {
		template.Must(t.AddParseTree(n, trees[n])) // fails only for a template that ran already
	}
	return t
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
