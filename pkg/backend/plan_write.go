package backend

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// order is the lists in the order in which they are carried out: one that names resources of another
// after that one, where that can be had, and else by name.
func (p *planner) order() (ordered [][]*node) {
	place := map[string]int{}
	for i, list := range p.lists {
		if len(list) > 0 {
			place[list[0].item.translation] = i
		}
	}
	seen := make([]bool, len(p.lists))
	type visit struct{ list, resource, name int }
	for start := range p.lists {
		if seen[start] {
			continue
		}
		seen[start] = true
		for path := []visit{{list: start}}; len(path) > 0; {
			at := &path[len(path)-1]
			list := p.lists[at.list]
			if at.resource == len(list) {
				ordered = append(ordered, list)
				path = path[:len(path)-1]
				continue
			}
			names := list[at.resource].item.names
			if at.name == len(names) {
				at.resource, at.name = at.resource+1, 0
				continue
			}
			named := p.nodes[names[at.name]]
			at.name++
			if named == nil || named.item == nil {
				continue
			}
			if on := place[named.item.translation]; !seen[on] {
				seen[on] = true
				path = append(path, visit{list: on})
			}
		}
	}
	return ordered
}

// write turns what was found into operations.
func (p *planner) write(ordered [][]*node) {
	together := map[*node][]*node{} // what is deleted, by root, last created first
	needed := map[*node]bool{}      // groups of which something is created
	for _, n := range slices.Backward(p.recorded) {
		if n.goes {
			together[n.root()] = append(together[n.root()], n)
		}
	}
	for _, list := range ordered {
		p.deleteFirst(list, together, needed)
		for _, n := range list {
			p.perform(n)
		}
	}
	for _, n := range slices.Backward(p.recorded) {
		if n.goes && !needed[n.root()] {
			p.add(n, waybill.OpDelete, n.why, n.whose)
		}
	}
}

// deleteFirst deletes what has to be gone before the list is carried out.
func (p *planner) deleteFirst(list []*node, together map[*node][]*node, needed map[*node]bool) {
	for _, n := range list {
		root := n.root()
		if needed[root] {
			continue
		}
		if len(together[root]) > 0 {
			needed[root] = true
		}
		for _, gone := range together[root] {
			p.add(gone, waybill.OpDelete, gone.why, gone.whose)
		}
	}
}

// perform does what is done about a desired resource in its place.
func (p *planner) perform(n *node) {
	switch {
	case n.goes:
		p.add(n, waybill.OpCreate, n.why, n.whose)
	case n.op != "":
		p.add(n, n.op, n.reason, n.cause)
	}
}

func (p *planner) add(n *node, op, reason, cause string) {
	o := waybill.BackendOperation{Op: op, Kind: n.key.Kind, ID: n.key.ID, Reason: reason, Cause: cause}
	if n.record != nil && (op != waybill.OpCreate || !n.goes) {
		o.Number = n.record.Number
	}
	if op == waybill.OpDelete {
		o.Parent, o.Translation, o.Index = n.record.Parent, n.record.Translation, n.record.Index
	} else {
		o.Parent, o.Translation, o.Index = n.item.parent, n.item.translation, int32(n.item.index) // #nosec G115 -- lists are bounded
	}
	if op == waybill.OpReplace {
		o.Changed = changedFields(n.record.Fields, n.item.digest)
	}
	if op == waybill.OpCreate || op == waybill.OpReplace {
		o.Body = n.item.body
	}
	p.operations = append(p.operations, o)
}
