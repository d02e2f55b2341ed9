package plan

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// markDeleted deletes a resource in the inventory, and creates it again if it is desired.
func (p *planner) markDeleted(n *node, why, whose string) {
	if !n.deleted {
		n.deleted, n.deleteReason, n.deleteCause, n.deleteEarly = true, why, whose, n.item != nil
		p.queue = append(p.queue, n)
	}
}

// linkDependents collects links: in the inventory, and in the body of what stays as it is.
func (p *planner) linkDependents() {
	for _, n := range p.recorded {
		parents, references := p.table.Links(*n.record)
		p.addDependents(n, parents, dependent{n, false, true})
		p.addDependents(n, references, dependent{n, true, true})
		if n.item == nil || n.operation() == waybill.OpCreate || n.operation() == waybill.OpReplace {
			continue
		}
		for _, name := range n.item.Links[n.item.Parents:] {
			if !slices.Contains(references, name) { // the table has changed
				p.addDependents(n, []table.Key{name}, dependent{n, true, false})
			}
		}
	}
}

func (p *planner) addDependents(n *node, on []table.Key, e dependent) {
	for _, key := range on {
		if p.nodes[key] != nil && key != n.key {
			p.dependents[key] = append(p.dependents[key], e)
		}
	}
}

// stopsReferring reports whether a dependent is sent again and then no longer refers to the resource. It stays; the resource
// can be deleted only afterwards.
func (e dependent) stopsReferring(named *node) bool {
	d := e.from
	sent := d.op == waybill.OpReplace || d.op == waybill.OpCreate
	return e.reference && d.item != nil && sent && !d.deleted && !d.item.LinksTo(named.key)
}

// propagate finds what else has to be done because of deletions, and because of creations where order matters.
func (p *planner) propagate() {
	for _, list := range p.lists {
		p.checkListOrder(list)
	}
	for len(p.queue) > 0 {
		n := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		p.recreateNext(n)
		for _, e := range p.dependents[n.key] {
			p.propagateTo(n, e)
		}
	}
}

// checkListOrder finds resources of a list after one that is created, or created before one that is now in front of them.
func (p *planner) checkListOrder(list []*node) {
	for _, n := range list {
		if n.record == nil || n.deleted {
			p.recreateNext(n)
			continue
		}
		if s := n.next; s != nil && s.record != nil && s.record.Number < n.record.Number {
			p.recreate(s, n)
		}
	}
}

// recreateNext recreates the next in order, which recreates its next, and so on.
func (p *planner) recreateNext(n *node) {
	if n.item != nil && n.next != nil && n.next.record != nil {
		p.recreate(n.next, n)
	}
}

func (p *planner) recreate(n, after *node) {
	if !p.isKept(n, waybill.OpReasonOrder) {
		p.markDeleted(n, waybill.OpReasonOrder, after.key.String())
	}
}

// propagateTo decides about a resource that links to one that is deleted.
func (p *planner) propagateTo(n *node, e dependent) {
	d := e.from
	switch {
	case d.deleted && e.recorded && n.deleteEarly && !d.deleteEarly: // it has to be deleted first, and so has what blocks it
		d.deleteEarly = true
		p.queue = append(p.queue, d)
	case d.deleted:
	case e.stopsReferring(n):
		if n.deleteEarly && d.item.Kind.Blocks(n.key.Kind) { // it may be impossible to replace it before
			p.markDeleted(d, waybill.OpReasonReferenceGoes, n.key.String())
		}
	case !e.reference:
		p.markDeleted(d, waybill.OpReasonParentGoes, n.key.String())
	case d.item == nil: // no Translation requests it
	case d.item.Kind.Replace == nil, d.item.Kind.Blocks(n.key.Kind):
		p.markDeleted(d, waybill.OpReasonReferenceGoes, n.key.String())
	case d.op == "" || d.op == waybill.OpMove:
		d.op, d.reason, d.cause = waybill.OpReplace, waybill.OpReasonReferenceGoes, n.key.String()
	}
}
