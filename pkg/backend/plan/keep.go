package plan

import (
	"cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// keepUndecided finds resources that stay because it is not known what they should be, and everything that has to stay with
// them: their parents, and what they refer to, unless they could be replaced without it.
func (p *planner) keepUndecided() {
	var stay []*node
	for _, n := range p.recorded {
		if n.item != nil {
			continue
		}
		unknown, failed, mover := p.table.Kind(n.record.Kind) == nil, p.failed[n.record.Translation], p.mayHaveMovedTo(n)
		if n.undecided = unknown || failed || mover != ""; !n.undecided {
			continue
		}
		n.keptFor = n
		stay = append(stay, n)
		if mover != "" && !failed {
			p.report(n.record.Translation, -1, "%s stays: Translation %s requests it, or may do so, and has a problem", n.key, mover)
		}
		if unknown {
			p.report(n.record.Translation, -1, "%s is in the inventory and stays there: its kind is not in table %q", n.key, p.table.Name())
		}
	}
	for len(stay) > 0 {
		n := stay[len(stay)-1]
		stay = stay[:len(stay)-1]
		for _, m := range p.dependencies(n) {
			if m.keptFor == nil {
				m.keptFor = n.keptFor
				stay = append(stay, m)
			}
		}
	}
}

// mayHaveMovedTo is a Translation with a problem that requests, or may request, a resource that no other requests. Empty: none.
func (p *planner) mayHaveMovedTo(n *node) string {
	if it := p.claims[n.key]; it != nil {
		return it.Translation
	}
	return cmp.Or(p.unsure[table.Key{Kind: n.record.Kind, Parent: n.record.Parent}], p.unreadable)
}

// dependencies are the resources in the inventory whose deletion would delete this one, too.
func (p *planner) dependencies(n *node) (on []*node) {
	parents, references := p.table.Links(*n.record)
	k := p.table.Kind(n.record.Kind)
	if k == nil {
		on = p.withID(n.record.Parent)
	}
	for _, key := range parents {
		on = p.appendRecorded(on, key)
	}
	for _, key := range references {
		if n.item == nil || k == nil || k.Replace == nil || k.Blocks(key.Kind) {
			on = p.appendRecorded(on, key)
		}
	}
	return on
}

func (p *planner) appendRecorded(to []*node, key table.Key) []*node {
	if m := p.nodes[key]; m != nil && m.record != nil {
		to = append(to, m)
	}
	return to
}

// withID are the resources with an id: a record of a kind that is not in the table may be a child of any of them.
func (p *planner) withID(id string) []*node {
	if p.byID == nil {
		p.byID = map[string][]*node{}
		for _, n := range p.recorded {
			if n.key.Parent == "" {
				p.byID[n.key.ID] = append(p.byID[n.key.ID], n)
			}
		}
	}
	return p.byID[id]
}

// isKept reports whether a resource has to stay because another stays that needs it, and reports that as a problem.
func (p *planner) isKept(n *node, why string) bool {
	if n.keptFor == nil {
		return false
	}
	translation, index, what := n.record.Translation, -1, "it would be deleted"
	if n.item != nil {
		translation, index, what = n.item.Translation, n.item.Index, "it would be deleted and created again"
	}
	k := n.keptFor.record
	p.report(translation, index, "%s is kept for %s of %s, which stays as it is: %s (%s)", n.key, n.keptFor.key, k.Translation, what, why)
	return true
}

// decide decides about a resource in the inventory without regard to others.
func (p *planner) decide(n *node) {
	r, it := n.record, n.item
	switch {
	case n.undecided:
	case it == nil:
		p.deleteUnlessKept(n, waybill.OpReasonNotDesired, "")
	case it.Parent != r.Parent:
		p.deleteUnlessKept(n, waybill.OpReasonParentChanged, r.Parent)
	default:
		p.decideBody(n)
	}
}

// deleteUnlessKept deletes a resource unless it has to stay for another.
func (p *planner) deleteUnlessKept(n *node, why, whose string) {
	n.op = ""
	if !p.isKept(n, why) {
		p.markDeleted(n, why, whose)
	}
}

// decideBody decides about a resource that is desired with the same parent.
func (p *planner) decideBody(n *node) {
	r, it := n.record, n.item
	same, replaceable := r.Hash == it.Hash, it.Kind.Replace != nil
	switch {
	case r.State == "" && same:
		n.op, n.reason = "", ""
		if r.Translation != it.Translation || int(r.Index) != it.Index {
			n.op, n.reason = waybill.OpMove, waybill.OpReasonMoved
		}
	case r.State == "" && replaceable:
		n.op, n.reason = waybill.OpReplace, waybill.OpReasonChanged
	case r.State == "":
		p.deleteUnlessKept(n, waybill.OpReasonChanged, "")
	case r.State == waybill.StateCreating && (same || replaceable): // what may exist is this, or can be replaced by it
		n.op, n.reason = waybill.OpCreate, waybill.OpReasonInterrupted
	case replaceable:
		n.op, n.reason = waybill.OpReplace, waybill.OpReasonInterrupted
	default:
		p.deleteUnlessKept(n, waybill.OpReasonInterrupted, "")
	}
}
