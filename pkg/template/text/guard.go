package text

import (
	"maps"
	"slices"
	"strconv"
	"text/template"
	"text/template/parse"
)

// Names of the functions that are put into templates. No template can name one, because parsing does not know them.
const guardEnter, guardLeave, guardStep, guardOver, guardPrint = "guardEnter", "guardLeave", "guardStep", "guardOver", "guardPrint"

func (b *budget) guards() template.FuncMap {
	return template.FuncMap{guardEnter: b.enter, guardLeave: b.leave, guardStep: b.step, guardOver: b.over, guardPrint: b.print}
}

// guarding is the walk through a template that puts guards into it.
type guarding struct {
	t        *Template
	uses     map[string]bool
	declared int
}

// guard puts guards into the parsed template, and notes what it uses.
func (t *Template) guard() error {
	g := &guarding{t: t, uses: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(t.trees)) {
		root := t.trees[name].Root
		weight := g.list(root)
		root.Nodes = append([]parse.Node{steps(root.Pos, guardEnter, roundSteps+weight)}, root.Nodes...)
		root.Nodes = append(root.Nodes, action(root.Pos, guardLeave))
	}
	if g.declared > maxDeclared {
		return refuse("it declares variables in more than %d places", maxDeclared)
	}
	t.uses = slices.Sorted(maps.Keys(g.uses))
	for _, name := range t.uses {
		t.changes = t.changes || functionsByName[name].changes
	}
	return nil
}

// list guards all below l and gives what running l once takes. The bodies of loops count for themselves.
func (g *guarding) list(l *parse.ListNode) (weight int) {
	if l == nil {
		return 0
	}
	for _, n := range l.Nodes {
		weight += 1 + g.node(n)
	}
	return weight
}

func (g *guarding) node(n parse.Node) int {
	switch n := n.(type) {
	case *parse.ActionNode:
		weight := g.pipe(n.Pipe)
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, call(n.Pos, guardPrint))
			weight += callSteps
		}
		return weight
	case *parse.TemplateNode:
		return g.pipe(n.Pipe)
	case *parse.IfNode:
		return g.branch(&n.BranchNode)
	case *parse.WithNode:
		return g.branch(&n.BranchNode)
	case *parse.RangeNode:
		return g.loop(&n.BranchNode)
	}
	return 0
}

func (g *guarding) branch(b *parse.BranchNode) int {
	return g.pipe(b.Pipe) + g.list(b.List) + g.list(b.ElseList)
}

func (g *guarding) loop(b *parse.BranchNode) int {
	weight := callSteps + g.pipe(b.Pipe) + g.list(b.ElseList)
	b.Pipe.Cmds = append(b.Pipe.Cmds, call(b.Pos, guardOver))
	round := steps(b.Pos, guardStep, roundSteps+g.list(b.List))
	b.List.Nodes = append([]parse.Node{round}, b.List.Nodes...)
	return weight
}

func (g *guarding) pipe(p *parse.PipeNode) int {
	if p == nil {
		return 0
	}
	g.declared += len(p.Decl)
	weight := 1
	for _, c := range p.Cmds {
		g.failing(c)
		for _, a := range c.Args {
			weight += 1 + g.arg(a)
		}
	}
	return weight
}

func (g *guarding) arg(a parse.Node) int {
	switch a := a.(type) {
	case *parse.PipeNode:
		return g.pipe(a)
	case *parse.ChainNode:
		return len(a.Field) + g.arg(a.Node)
	case *parse.FieldNode:
		return len(a.Ident)
	case *parse.VariableNode:
		return len(a.Ident)
	case *parse.IdentifierNode:
		if _, ours := functionsByName[a.Ident]; ours {
			g.uses[a.Ident] = true
		}
	}
	return 0
}

// failing notes what a template has fail say in so many words: that is no value of anything.
func (g *guarding) failing(c *parse.CommandNode) {
	if f, is := c.Args[0].(*parse.IdentifierNode); is && f.Ident == "fail" && len(c.Args) == 2 {
		if message, is := c.Args[1].(*parse.StringNode); is {
			g.t.said[message.Text] = true
		}
	}
}

func call(at parse.Pos, function string, args ...parse.Node) *parse.CommandNode {
	id := parse.NewIdentifier(function).SetPos(at)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: append([]parse.Node{id}, args...)}
}

func action(at parse.Pos, function string, args ...parse.Node) *parse.ActionNode {
	pipe := &parse.PipeNode{NodeType: parse.NodePipe, Pos: at, Cmds: []*parse.CommandNode{call(at, function, args...)}}
	return &parse.ActionNode{NodeType: parse.NodeAction, Pos: at, Pipe: pipe}
}

// steps calls a guard with a number of steps.
func steps(at parse.Pos, function string, n int) *parse.ActionNode {
	number := &parse.NumberNode{NodeType: parse.NodeNumber, Pos: at, IsInt: true, Int64: int64(n), Text: strconv.Itoa(n)}
	return action(at, function, number)
}
