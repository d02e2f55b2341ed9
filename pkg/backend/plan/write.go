package plan

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// draft is the operations of a plan before they are in order.
type draft struct {
	*graph
	nodes []*node // of each step
}

// draft lists what is sent in the order of the lists, then what is deleted, the newest first.
func (p *planner) draft() *draft {
	var steps []Step
	var nodes []*node
	for _, list := range p.orderLists() {
		for _, n := range list {
			if op := n.operation(); op != "" {
				steps, nodes = append(steps, Step{op, n.key, n.item, n.record}), append(nodes, n)
			}
		}
	}
	for _, n := range slices.Backward(p.recorded) {
		if n.deleted {
			steps, nodes = append(steps, Step{Op: waybill.OpDelete, Key: n.key, Record: n.record}), append(nodes, n)
		}
	}
	return &draft{newGraph(p.table, steps), nodes}
}

// operation is the operation for a resource in its list, after its deletion if it is deleted.
func (n *node) operation() string {
	if n.deleted {
		return waybill.OpCreate
	}
	return n.op
}

// addListEdges keeps the order of lists where nothing else contradicts it.
func (d *draft) addListEdges() {
	for i := 1; i < len(d.steps); i++ {
		if a, b := &d.steps[i-1], &d.steps[i]; b.Item != nil && a.Item.Translation == b.Item.Translation {
			d.addEdge(i-1, i, listOrder)
		}
	}
	for i, n := range d.nodes {
		if n.next != nil && d.steps[i].Item != nil {
			d.addOrderEdges(i, n)
		}
	}
}

// addOrderEdges keeps the order of two resources of which one has to be created after the other: they are
// deleted in reverse order.
func (d *draft) addOrderEdges(i int, n *node) {
	if on, is := d.sent[n.next.key]; is && n.operation() == waybill.OpCreate {
		d.addEdge(i, on, required)
	}
	if next, goes := d.deleted[n.next.key]; goes {
		d.addEdge(next, i, listOrder)
		if on, goes := d.deleted[n.key]; goes {
			d.addEdge(next, on, listOrder)
		}
	}
}

// writeOperations orders the operations. What is deleted to be created again, and what has to be deleted before
// that, is deleted just before the creation; the rest is deleted last.
func (p *planner) writeOperations() {
	d := p.draft()
	d.addListEdges()
	d.breakCycles()
	for _, i := range d.order() {
		switch n := d.nodes[i]; {
		case d.steps[i].Op == waybill.OpDelete:
			p.addOperation(n, waybill.OpDelete, n.deleteReason, n.deleteCause)
		case n.deleted:
			p.addOperation(n, waybill.OpCreate, n.deleteReason, n.deleteCause)
		default:
			p.addOperation(n, n.op, n.reason, n.cause)
		}
	}
}

func (p *planner) addOperation(n *node, op, reason, cause string) {
	o := waybill.BackendOperation{Op: op, Kind: n.key.Kind, ID: n.key.ID, Reason: reason, Cause: cause}
	if n.record != nil && (op != waybill.OpCreate || !n.deleted) {
		o.Number = n.record.Number
	}
	if op == waybill.OpDelete {
		o.Parent, o.Translation, o.Index = n.record.Parent, n.record.Translation, n.record.Index
	} else {
		o.Parent, o.Translation, o.Index = n.item.Parent, n.item.Translation, int32(n.item.Index) // #nosec G115 -- lists are bounded
	}
	if op == waybill.OpReplace {
		o.Changed = table.ChangedFields(n.record.Fields, n.item.FieldDigests)
	}
	if op == waybill.OpCreate || op == waybill.OpReplace {
		o.Body = n.item.Body
	}
	p.operations = append(p.operations, o)
}

// orderLists returns the lists, each after those whose resources it needs where that is possible, otherwise by name, so that
// the operations of one Translation stay together.
func (p *planner) orderLists() (ordered [][]*node) {
	needs := make([][]int, len(p.lists))
	for i, list := range p.lists {
		for _, n := range list {
			for _, name := range n.item.Links {
				if m := p.nodes[name]; m != nil && m.item != nil {
					needs[i] = append(needs[i], m.list)
				}
			}
		}
	}
	for _, i := range postOrder(len(p.lists), func(i, n int) (int, bool) { return at(needs[i], n) }) {
		ordered = append(ordered, p.lists[i])
	}
	return ordered
}
