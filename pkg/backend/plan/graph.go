package plan

import (
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// Step is one operation on one resource.
type Step struct {
	Op     string
	Key    table.Key
	Item   *table.Item            // what is sent, if anything is
	Record *waybill.BackendRecord // what the inventory has before; nil: nothing
}

// weight says what one step coming before another is worth. Where steps go round in a circle, the lightest
// of what ties them together gives way.
type weight int8

const (
	// same: a resource is deleted before it is created anew.
	same weight = iota
	// needed: the backend would refuse it otherwise.
	needed
	// used: what goes for good goes after all that goes and names it.
	used
	// left: and after what stops naming it.
	left
	// renewed: what goes to come back goes after all that goes and names it.
	renewed
	// freed: and after what stops naming it; nothing waits for that.
	freed
	// listed: the order of a list.
	listed
)

// edge is a step that comes before another.
type edge struct {
	before int
	weight weight
}

// graph is the steps of a plan, and which come before which. Deletions are held to what resources name
// according to the inventory, all else to what they name from now on.
type graph struct {
	table   *table.Table
	steps   []Step
	sent    map[table.Key]int // those that create or replace
	deleted map[table.Key]int
	edges   [][]edge // of each step
}

// Prerequisites are, for each step of a plan, the earlier steps that have to succeed before it, and the
// steps that need each other in a circle: these have no order.
func Prerequisites(table *table.Table, steps []Step) (needs [][]int, cyclic map[int]bool) {
	g := newGraph(table, steps)
	cyclic = g.breakCycles()
	needs = make([][]int, len(steps))
	for i, ties := range g.edges {
		for _, t := range ties {
			if t.weight < freed && t.before < i {
				needs[i] = append(needs[i], t.before)
			}
		}
	}
	return needs, cyclic
}

// newGraph ties steps to those that they need.
func newGraph(tbl *table.Table, steps []Step) *graph {
	g := &graph{table: tbl, steps: steps, sent: map[table.Key]int{}, deleted: map[table.Key]int{}, edges: make([][]edge, len(steps))}
	for i, s := range steps {
		switch s.Op {
		case waybill.OpCreate, waybill.OpReplace:
			g.sent[s.Key] = i
		case waybill.OpDelete:
			g.deleted[s.Key] = i
		}
	}
	for i, s := range steps {
		switch s.Op {
		case waybill.OpCreate, waybill.OpReplace:
			g.addSendEdges(i, &s)
		case waybill.OpDelete:
			g.addDeleteEdges(i, &s)
		}
	}
	return g
}

func (g *graph) addEdge(before, after int, w weight) {
	g.edges[after] = append(g.edges[after], edge{before, w})
}

// addDeleteEdges has what a resource named deleted after it.
func (g *graph) addDeleteEdges(i int, s *Step) {
	if s.Record == nil {
		return // a plan that is taken up again has deleted it before
	}
	k := g.table.Kind(s.Record.Kind)
	parents, references := g.table.Links(*s.Record)
	for n, name := range append(parents, references...) {
		on, goes := g.deleted[name]
		_, back := g.sent[name]
		switch {
		case !goes || on == i:
		case n < len(parents) || k == nil || k.Blocks(name.Kind):
			g.addEdge(i, on, needed)
		case back:
			g.addEdge(i, on, renewed)
		default:
			g.addEdge(i, on, used)
		}
	}
}

// addSendEdges has a resource come after what it names, and what it names no more after it.
func (g *graph) addSendEdges(i int, s *Step) {
	for _, name := range s.Item.Links {
		if name != s.Key {
			g.addReferenceEdge(i, name)
		}
	}
	if on, goes := g.deleted[s.Key]; goes {
		g.addEdge(on, i, same)
		return
	}
	if s.Record == nil {
		return
	}
	_, references := g.table.Links(*s.Record)
	for _, name := range references {
		if on, goes := g.deleted[name]; goes && !s.Item.LinksTo(name) {
			g.addEdge(i, on, g.weightOfLeaving(s.Item.Kind, name))
		}
	}
}

func (g *graph) addReferenceEdge(i int, name table.Key) {
	if on, is := g.sent[name]; is {
		g.addEdge(on, i, g.steps[on].weightOfSending())
	} else if on, is := g.deleted[name]; is { // it is missed, and not taken away afterwards
		g.addEdge(on, i, renewed)
	}
}

// weightOfSending is needed for what may be missing until it is sent.
func (s *Step) weightOfSending() weight {
	if s.Op == waybill.OpCreate || s.Record == nil || s.Record.State != "" {
		return needed
	}
	return listed
}

func (g *graph) weightOfLeaving(k *table.Kind, name table.Key) weight {
	if k.Blocks(name.Kind) {
		return needed
	}
	if _, back := g.sent[name]; back {
		return freed
	}
	return left
}
