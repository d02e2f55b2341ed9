package apply

import (
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// buildIndex indexes the inventory by key and by link.
func (r *run) buildIndex() error {
	r.byKey, r.referrers = map[table.Key]int64{}, map[table.Key]map[int64]bool{}
	for _, rec := range r.inventory.Records() {
		key := r.table.KeyOf(rec)
		if n, twice := r.byKey[key]; twice {
			return fmt.Errorf("the inventory has %s twice, as %d and as %d", key, n, rec.Number)
		}
		r.addToIndex(key, rec)
	}
	return nil
}

// addToIndex indexes a record.
func (r *run) addToIndex(key table.Key, rec waybill.BackendRecord) {
	r.byKey[key] = rec.Number
	parents, references := r.table.Links(rec)
	for i, name := range append(references, parents...) {
		if r.referrers[name] == nil {
			r.referrers[name] = map[int64]bool{}
		}
		r.referrers[name][rec.Number] = i < len(references)
	}
}

// removeFromIndex is the opposite of addToIndex.
func (r *run) removeFromIndex(rec waybill.BackendRecord) {
	if key := r.table.KeyOf(rec); r.byKey[key] == rec.Number {
		delete(r.byKey, key)
	}
	parents, references := r.table.Links(rec)
	for _, name := range append(parents, references...) {
		if delete(r.referrers[name], rec.Number); len(r.referrers[name]) == 0 {
			delete(r.referrers, name)
		}
	}
}

// update changes the inventory; the change is saved before the next call.
func (r *run) update(remove []int64, put ...waybill.BackendRecord) {
	for _, n := range remove {
		rec, _ := r.inventory.Record(n)
		r.removeFromIndex(rec)
		r.pending.set(n, nil)
	}
	for _, rec := range put {
		if old, there := r.inventory.Record(rec.Number); there {
			r.removeFromIndex(old)
		}
		r.pending.set(rec.Number, &rec)
	}
	r.inventory.Take(inventory.Change{Next: r.inventory.Next, Remove: remove, Put: put})
	for _, rec := range put {
		r.addToIndex(r.table.KeyOf(rec), rec)
	}
}

// pendingChange is what has changed since the last save. A nil record was removed.
type pendingChange struct {
	url     string
	plan    string
	records map[int64]*waybill.BackendRecord
}

func (p *pendingChange) set(number int64, rec *waybill.BackendRecord) {
	if p.records == nil {
		p.records = map[int64]*waybill.BackendRecord{}
	}
	p.records[number] = rec
}

// change is all of it, by number.
func (p *pendingChange) change(next int64) inventory.Change {
	c := inventory.Change{URL: p.url, Plan: p.plan, Next: next}
	for _, n := range slices.Sorted(maps.Keys(p.records)) {
		if rec := p.records[n]; rec != nil {
			c.Put = append(c.Put, *rec)
		} else {
			c.Remove = append(c.Remove, n)
		}
	}
	return c
}
