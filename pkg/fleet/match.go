package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/fleet/objectdiff"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// match pairs deliveries of the same object: in the same work first, then in another. Duplicates within a work are paired by
// their data first.
func (ids *idCache) match(before, after []Delivery) (out []Change, err error) {
	gone, err := ids.identify(before)
	if err != nil {
		return nil, err
	}
	fresh, err := ids.identify(after)
	if err != nil {
		return nil, err
	}
	if err := readDuplicates(gone, fresh); err != nil {
		return nil, err
	}
	byData := func(d identified) matchKey { return matchKey{d.id, d.Itself, d.Work, d.data} }
	byWork := func(d identified) matchKey { return matchKey{d.id, d.Itself, d.Work, ""} }
	byID := func(d identified) matchKey { return matchKey{d.id, d.Itself, "", ""} }
	out = make([]Change, 0, max(len(before), len(after)))
	for _, keyOf := range []func(identified) matchKey{byData, byWork, byID} {
		out, gone, fresh = pairBy(out, gone, fresh, keyOf)
	}
	for _, d := range gone {
		out = append(out, Change{ID: d.id, Before: d.Delivery})
	}
	for _, d := range fresh {
		out = append(out, Change{ID: d.id, After: d.Delivery})
	}
	slices.SortStableFunc(out, compareChanges)
	return out, nil
}

func compareChanges(a, b Change) int {
	return cmp.Or(cmp.Compare(a.ID.String(), b.ID.String()), cmp.Compare(a.latest().Work, b.latest().Work))
}

// identified is a delivery with its identity.
type identified struct {
	*Delivery
	id   krm.ID
	data string // its data as JSON, if one side has several of that identity
}

// idCache caches the identity of contents, which are the same in many clusters. It is safe for concurrent use.
type idCache struct{ known sync.Map }

func (ids *idCache) of(c *Content) (krm.ID, error) {
	if id, ok := ids.known.Load(c.Hash); ok {
		return id.(krm.ID), nil
	}
	id, err := c.ID()
	if err == nil {
		ids.known.Store(c.Hash, id)
	}
	return id, err
}

func (ids *idCache) identify(all []Delivery) ([]identified, error) {
	out := make([]identified, len(all))
	for i := range all {
		id, err := ids.of(all[i].Content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", all[i].File, err)
		}
		out[i] = identified{Delivery: &all[i], id: id}
	}
	return out, nil
}

// readDuplicates reads the data of objects that one side holds more than once.
func readDuplicates(gone, fresh []identified) error {
	twins := map[krm.ID]bool{}
	for _, side := range [][]identified{gone, fresh} {
		seen := map[krm.ID]bool{}
		for _, d := range side {
			twins[d.id] = twins[d.id] || seen[d.id]
			seen[d.id] = true
		}
	}
	for _, side := range [][]identified{gone, fresh} {
		for i := range side {
			if !twins[side[i].id] {
				continue
			}
			o, err := side[i].Content.Object()
			if err != nil {
				return err
			}
			objectdiff.AsReceived(o.Node())
			data, err := krm.CanonicalJSON(o.Node())
			if err != nil {
				return err
			}
			side[i].data = string(data)
		}
	}
	return nil
}

// matchKey is what two paired deliveries have in common.
type matchKey struct {
	id     krm.ID
	itself bool
	work   string
	data   string
}

// pairBy pairs deliveries with equal keys, in order, and returns the others.
func pairBy(out []Change, gone, fresh []identified, keyOf func(identified) matchKey) (_ []Change, stay, left []identified) {
	by := map[matchKey][]identified{}
	for _, d := range gone {
		by[keyOf(d)] = append(by[keyOf(d)], d)
	}
	paired := map[*Delivery]bool{}
	for _, d := range fresh {
		k := keyOf(d)
		if len(by[k]) == 0 {
			left = append(left, d)
			continue
		}
		out = append(out, Change{ID: d.id, Before: by[k][0].Delivery, After: d.Delivery})
		paired[by[k][0].Delivery], by[k] = true, by[k][1:]
	}
	for _, d := range gone {
		if !paired[d.Delivery] {
			stay = append(stay, d)
		}
	}
	return out, stay, left
}
