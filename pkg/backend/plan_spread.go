package backend

import "github.com/waybill-dev/waybill/pkg/api/waybill"

// drop has a resource that is in the inventory deleted, and created anew if it is desired.
func (p *planner) drop(n *node, why, whose string) {
	if !n.goes {
		n.goes, n.why, n.whose = true, why, whose
		p.goes = append(p.goes, n)
	}
}

// link notes who names whom: in the inventory, and for what is desired in its body. What the inventory
// has hangs on the parent that the inventory knows.
func (p *planner) link() {
	for _, n := range p.recorded {
		parents, references := p.table.named(*n.record)
		p.depend(n, parents, false)
		p.depend(n, references, true)
	}
	for _, list := range p.lists {
		for _, n := range list {
			parents, references := n.item.names[:n.item.parents], n.item.names[n.item.parents:]
			if n.record == nil {
				p.depend(n, parents, false)
			}
			p.depend(n, references, true)
		}
	}
}

func (p *planner) depend(n *node, on []Key, reference bool) {
	for _, key := range on {
		if p.nodes[key] != nil && key != n.key {
			p.dependents[key] = append(p.dependents[key], edge{n, reference})
		}
	}
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
			p.drop(s, waybill.OpReasonOrder, n.key.String())
		}
	}
}

// renewAfter has the next in order created anew; that one has its next, and so on.
func (p *planner) renewAfter(n *node) {
	if n.item != nil && n.next != nil && n.next.record != nil {
		join(n, n.next)
		p.drop(n.next, waybill.OpReasonOrder, n.key.String())
	}
}

// follow sees what becomes of a resource that names one that goes.
func (p *planner) follow(n *node, e edge) {
	d := e.from
	if e.reference && d.item == nil && !d.goes {
		return // nobody says what it should be
	}
	join(n, d)
	switch {
	case d.goes:
	case d.record == nil: // it is created anyway, afterwards
	case !e.reference:
		p.drop(d, waybill.OpReasonParentGoes, n.key.String())
	case d.item.kind.replace == nil:
		p.drop(d, waybill.OpReasonReferenceGoes, n.key.String())
	case d.op == "" || d.op == waybill.OpMove:
		d.op, d.reason, d.cause = waybill.OpReplace, waybill.OpReasonReferenceGoes, n.key.String()
	}
}

// root stands for all that go together.
func (n *node) root() *node {
	for n.group != nil {
		if n.group.group != nil {
			n.group = n.group.group
		}
		n = n.group
	}
	return n
}

// join puts two and all that go with them together.
func join(a, b *node) {
	if a, b = a.root(), b.root(); a != b {
		b.group = a
	}
}
