package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// maxResources bounds the resources of one Translation.
const maxResources = 100_000

// read resolves what is desired, and leaves out Translations with a problem.
func (p *planner) read(desired []Translation) {
	desired = slices.Clone(desired)
	slices.SortStableFunc(desired, func(a, b Translation) int { return strings.Compare(a.Key(), b.Key()) })
	items := make([][]*table.Item, len(desired))
	for i, t := range desired {
		if i > 0 && desired[i-1].Key() == t.Key() {
			p.problem(t.Key(), -1, "another Translation has this name")
		}
		items[i] = p.readTranslation(t)
	}
	for i, t := range desired {
		if !p.failed[t.Key()] {
			p.lists = append(p.lists, p.addDesired(items[i], len(p.lists)))
		}
	}
}

// readTranslation resolves the resources of one Translation, and checks that no other Translation has them.
func (p *planner) readTranslation(t Translation) (items []*table.Item) {
	key := t.Key()
	p.failed[key] = p.failed[key] || t.Keep || t.Unreadable
	if t.Unreadable || len(t.Resources) > maxResources {
		p.unreadable = key
	}
	if !inventory.IsTranslationKey(key) {
		p.problem(key, -1, "want a namespace and a name")
	}
	if len(t.Resources) > maxResources {
		p.problem(key, -1, "has more than %d resources", maxResources)
		return nil
	}
	for i, r := range t.Resources {
		it, err := p.table.Resolve(r)
		if err != nil {
			p.problem(key, i, "%s: %v", table.Short(r.Kind), err)
			if _, err := table.ParseBody(r.Body); err != nil {
				p.unsure[table.Key{Kind: r.Kind, Parent: r.Parent}] = key
			}
			continue
		}
		it.Translation, it.Index = key, i
		if other := p.claims[it.Key]; other != nil {
			p.problem(key, i, "%s: Translation %s requests it, too", it.Key, other.Translation)
			p.problem(other.Translation, other.Index, "%s: Translation %s requests it, too", it.Key, key)
			continue
		}
		p.claims[it.Key] = it
		items = append(items, it)
	}
	return items
}

// addDesired makes nodes of the items of one list, and connects those whose order matters.
func (p *planner) addDesired(items []*table.Item, number int) (list []*node) {
	last := map[table.Key]*node{}
	for _, it := range items {
		n := &node{key: it.Key, item: it, list: number, op: waybill.OpCreate, reason: waybill.OpReasonNew}
		p.nodes[n.key] = n
		list = append(list, n)
		if !it.Kind.Ordered {
			continue
		}
		siblings := table.Key{Kind: it.Kind.Name, Parent: it.Parent}
		if before := last[siblings]; before != nil {
			before.next = n
		}
		last[siblings] = n
	}
	return list
}

// compare decides about each resource in the inventory, without regard to others.
func (p *planner) compare(inventory *inventory.Inventory) error {
	for _, r := range inventory.Records() {
		key := p.table.KeyOf(r)
		n := p.nodes[key]
		if n == nil {
			n = &node{key: key}
			p.nodes[key] = n
		}
		if n.record != nil {
			return fmt.Errorf("the inventory has %s twice, as %d and as %d", key, n.record.Number, r.Number)
		}
		n.record = &r
		p.recorded = append(p.recorded, n)
	}
	p.keepUndecided()
	for _, n := range p.recorded {
		p.decide(n)
	}
	return nil
}
