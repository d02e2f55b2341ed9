package bundling

import (
	"encoding/binary"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// group is what a work holds, without the values of templates. The works of all clusters whose objects are divided in the same way
// share it.
type group struct {
	number      int // of the work
	batch       []shippedObject
	ids         []krm.ID // of batch
	kindConfigs []*manifestconfig.Config
	items       []int // by index in batch, the index among the objects of the Binding
	plain       *body // the body of all works of the group, if no template fills in values
}

// groups divides the objects of a cluster into works, in the order of their numbers. The objects of a work keep their order.
func groups(items []shippedObject, numbers []int) (out []*group) {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return numbers[a] - numbers[b] })
	for len(order) > 0 {
		g := &group{number: numbers[order[0]]}
		n := slices.IndexFunc(order, func(i int) bool { return numbers[i] != g.number })
		if n < 0 {
			n = len(order)
		}
		g.items, order = order[:n:n], order[n:]
		for _, i := range g.items {
			g.batch, g.ids = append(g.batch, items[i]), append(g.ids, items[i].sentID())
		}
		g.kindConfigs = kindConfigsOf(g.batch)
		out = append(out, g)
	}
	return out
}

// divisions are the groups of a shipment, by how its objects are divided.
type divisions map[string][]*group

// bodies are the bodies of the works of a cluster. items are its objects, which the next cluster overwrites.
func (d divisions) bodies(items []shippedObject, numbers []int) (out []*body) {
	if slices.ContainsFunc(items, shippedObject.isUnlikeOthers) {
		for _, g := range groups(items, numbers) {
			out = append(out, &body{group: g})
		}
		return out
	}
	for _, g := range d.groups(items, numbers) {
		out = append(out, g.bodyOf(items))
	}
	return out
}

// isUnlikeOthers reports whether s may differ from the object for another cluster in more than the values of templates.
func (s shippedObject) isUnlikeOthers() bool { return s.renamed || s.customized() && s.values == nil }

func (d divisions) groups(items []shippedObject, numbers []int) []*group {
	key := make([]byte, 0, binary.MaxVarintLen64*len(items))
	for i := range items {
		key = binary.AppendVarint(key, int64(numbers[i]))
	}
	found := d[string(key)]
	if found == nil {
		common := slices.Clone(items)
		for i := range common {
			common[i].values = nil
		}
		found = groups(common, numbers)
		d[string(key)] = found
	}
	return found
}

// bodyOf is the body of a work that holds the objects of g as they are among items.
func (g *group) bodyOf(items []shippedObject) *body {
	if g.plain != nil {
		return g.plain
	}
	b := &body{group: g}
	for _, i := range g.items {
		b.values = append(b.values, items[i].values...)
	}
	if b.values == nil {
		g.plain = b
	}
	return b
}
