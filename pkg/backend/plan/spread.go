package plan

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// drop has a resource that is in the inventory deleted, and created anew if it is desired.
func (p *planner) drop(n *node, why, whose string) {
	if !n.goes {
		n.goes, n.why, n.whose, n.early = true, why, whose, n.item != nil
		p.goes = append(p.goes, n)
	}
}

// link notes who names whom: in the inventory, and in the body of what would stay as it is.
func (p *planner) link() {
	for _, n := range p.recorded {
		parents, references := p.table.Links(*n.record)
		p.depend(n, parents, edge{n, false, true})
		p.depend(n, references, edge{n, true, true})
		if n.item == nil || n.sends() == waybill.OpCreate || n.sends() == waybill.OpReplace {
			continue
		}
		for _, name := range n.item.Links[n.item.Parents:] {
			if !slices.Contains(references, name) { // the table has changed
				p.depend(n, []table.Key{name}, edge{n, true, false})
			}
		}
	}
}

func (p *planner) depend(n *node, on []table.Key, e edge) {
	for _, key := range on {
		if p.nodes[key] != nil && key != n.key {
			p.dependents[key] = append(p.dependents[key], e)
		}
	}
}

// leaves reports whether who names a resource is sent again, and does not name it from then on. It stays
// where it is, and what it named can go only afterwards.
func (e edge) leaves(named *node) bool {
	d := e.from
	sent := d.op == waybill.OpReplace || d.op == waybill.OpCreate
	return e.reference && d.item != nil && sent && !d.goes && !d.item.LinksTo(named.key)
}

// spread finds out what else has to be done because of what goes, and because of what comes where
// order has a meaning.
func (p *planner) spread() {
	for _, list := range p.lists {
		p.seeOrder(list)
	}
	for len(p.goes) > 0 {
		n := p.goes[len(p.goes)-1]
		p.goes = p.goes[:len(p.goes)-1]
		p.renewAfter(n)
		for _, e := range p.dependents[n.key] {
			p.follow(n, e)
		}
	}
}

// seeOrder finds resources of a list that come after one that is created, or were created before one
// that they stand behind.
func (p *planner) seeOrder(list []*node) {
	for _, n := range list {
		if n.record == nil || n.goes {
			p.renewAfter(n)
			continue
		}
		if s := n.next; s != nil && s.record != nil && s.record.Number < n.record.Number {
			p.renew(s, n)
		}
	}
}

// renewAfter has the next in order created anew; that one has its next, and so on.
func (p *planner) renewAfter(n *node) {
	if n.item != nil && n.next != nil && n.next.record != nil {
		p.renew(n.next, n)
	}
}

func (p *planner) renew(n, after *node) {
	if !p.pinned(n, waybill.OpReasonOrder) {
		p.drop(n, waybill.OpReasonOrder, after.key.String())
	}
}

// follow sees what becomes of a resource that names one that goes.
func (p *planner) follow(n *node, e edge) {
	d := e.from
	switch {
	case d.goes && e.recorded && n.early && !d.early: // it has to be gone before, and so has what blocks it
		d.early = true
		p.goes = append(p.goes, d)
	case d.goes:
	case e.leaves(n):
		if n.early && d.item.Kind.Blocks(n.key.Kind) { // there may be no time before at which to replace it
			p.drop(d, waybill.OpReasonReferenceGoes, n.key.String())
		}
	case !e.reference:
		p.drop(d, waybill.OpReasonParentGoes, n.key.String())
	case d.item == nil: // nobody says what it should be
	case d.item.Kind.Replace == nil, d.item.Kind.Blocks(n.key.Kind):
		p.drop(d, waybill.OpReasonReferenceGoes, n.key.String())
	case d.op == "" || d.op == waybill.OpMove:
		d.op, d.reason, d.cause = waybill.OpReplace, waybill.OpReasonReferenceGoes, n.key.String()
	}
}
