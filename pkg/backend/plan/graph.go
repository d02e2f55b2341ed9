package plan

import (
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// Step is one operation on one resource.
type Step struct {
	Op     string
	Key    table.Key
	Item   *table.Item            // what is sent; nil for a deletion
	Record *waybill.BackendRecord // in the inventory before the step; nil: none
}

// rank says how important it is that one step comes before another; 0 is most important. In a cycle of steps the edges with
// the highest rank are removed first.
type rank int8

const (
	// sameResource: a resource is deleted before it is created again.
	sameResource rank = iota
	// required: otherwise the backend would refuse the step.
	required
	// afterReferrers: a resource that is not created again is deleted after all deleted resources that refer to it.
	afterReferrers
	// afterUnlinked: and after all changed resources that no longer refer to it.
	afterUnlinked
	// recreatedAfterReferrers: a resource that is created again is deleted after all deleted resources that refer to it.
	recreatedAfterReferrers
	// recreatedAfterUnlinked: and after all changed resources that no longer refer to it; no step waits for that when a plan is
	// applied.
	recreatedAfterUnlinked
	// listOrder: the order of the list in a Translation.
	listOrder
)

// edge says that another step comes before this one.
type edge struct {
	before int
	rank   rank
}

// graph has the steps of a plan and their order. For deletions it follows the links in the inventory, for all
// else the links of the desired resources.
type graph struct {
	table   *table.Table
	steps   []Step
	sent    map[table.Key]int // steps that create or replace
	deleted map[table.Key]int
	edges   [][]edge // of each step
}

// Prerequisites are, for each step of a plan, the earlier steps that must succeed before it. cyclic has the steps that
// require each other: these have no order.
func Prerequisites(table *table.Table, steps []Step) (needs [][]int, cyclic map[int]bool) {
	g := newGraph(table, steps)
	cyclic = g.breakCycles()
	needs = make([][]int, len(steps))
	for i, ties := range g.edges {
		for _, t := range ties {
			if t.rank < recreatedAfterUnlinked && t.before < i {
				needs[i] = append(needs[i], t.before)
			}
		}
	}
	return needs, cyclic
}

// newGraph adds the edges between steps.
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

func (g *graph) addEdge(before, after int, w rank) {
	g.edges[after] = append(g.edges[after], edge{before, w})
}

// addDeleteEdges: what a resource links to is deleted after it.
func (g *graph) addDeleteEdges(i int, s *Step) {
	if s.Record == nil {
		return // an earlier run of a resumed plan has deleted it
	}
	k := g.table.Kind(s.Record.Kind)
	parents, references := g.table.Links(*s.Record)
	for n, name := range append(parents, references...) {
		on, goes := g.deleted[name]
		_, back := g.sent[name]
		switch {
		case !goes || on == i:
		case n < len(parents) || k == nil || k.Blocks(name.Kind):
			g.addEdge(i, on, required)
		case back:
			g.addEdge(i, on, recreatedAfterReferrers)
		default:
			g.addEdge(i, on, afterReferrers)
		}
	}
}

// addSendEdges: a resource is sent after what it links to, and before the deletion of what it no longer links to.
func (g *graph) addSendEdges(i int, s *Step) {
	for _, name := range s.Item.Links {
		if name != s.Key {
			g.addReferenceEdge(i, name)
		}
	}
	if on, goes := g.deleted[s.Key]; goes {
		g.addEdge(on, i, sameResource)
		return
	}
	if s.Record == nil {
		return
	}
	_, references := g.table.Links(*s.Record)
	for _, name := range references {
		if on, goes := g.deleted[name]; goes && !s.Item.LinksTo(name) {
			g.addEdge(i, on, g.rankOfUnlinking(s.Item.Kind, name))
		}
	}
}

func (g *graph) addReferenceEdge(i int, name table.Key) {
	if on, is := g.sent[name]; is {
		g.addEdge(on, i, g.steps[on].rankOfSending())
	} else if on, is := g.deleted[name]; is { // then the step fails because it is missing, and does not lose it afterwards
		g.addEdge(on, i, recreatedAfterReferrers)
	}
}

// rankOfSending is required for a resource that may not exist until it is sent.
func (s *Step) rankOfSending() rank {
	if s.Op == waybill.OpCreate || s.Record == nil || s.Record.State != "" {
		return required
	}
	return listOrder
}

func (g *graph) rankOfUnlinking(k *table.Kind, name table.Key) rank {
	if k.Blocks(name.Kind) {
		return required
	}
	if _, back := g.sent[name]; back {
		return recreatedAfterUnlinked
	}
	return afterUnlinked
}
