package backend

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// unsaved is what has changed since the last save. A nil record is one that is no more.
type unsaved struct {
	url     string
	plan    string
	records map[int64]*waybill.BackendRecord
}

func (u *unsaved) put(rec waybill.BackendRecord) { u.set(rec.Number, &rec) }

func (u *unsaved) remove(number int64) { u.set(number, nil) }

func (u *unsaved) set(number int64, rec *waybill.BackendRecord) {
	if u.records == nil {
		u.records = map[int64]*waybill.BackendRecord{}
	}
	u.records[number] = rec
}

// change is all of it, in order.
func (u *unsaved) change(next int64) Change {
	c := Change{URL: u.url, Plan: u.plan, Next: next}
	for _, n := range slices.Sorted(maps.Keys(u.records)) {
		if rec := u.records[n]; rec != nil {
			c.Put = append(c.Put, *rec)
		} else {
			c.Remove = append(c.Remove, n)
		}
	}
	return c
}
