package fleet

import (
	"crypto/sha256"
	"maps"
	"slices"
)

// clusterFiles are the files that deliver something to a cluster and differ between the two sides.
type clusterFiles struct {
	cluster       string
	before, after []*file
	same          []*file // the files that do not differ
}

// differing are the clusters with files that differ, sorted by name.
func differing(before, after *Fleet) []clusterFiles {
	by := map[string]*clusterFiles{}
	add := func(these, others *Fleet, list func(*clusterFiles) *[]*file) {
		for _, p := range these.order {
			f := these.files[p]
			if f.sameAs(others.files[p]) {
				continue
			}
			for _, l := range f.counts {
				if by[l.cluster] == nil {
					by[l.cluster] = &clusterFiles{cluster: l.cluster}
				}
				into := list(by[l.cluster])
				*into = append(*into, f)
			}
		}
	}
	add(before, after, func(t *clusterFiles) *[]*file { return &t.before })
	add(after, before, func(t *clusterFiles) *[]*file { return &t.after })
	for _, p := range after.order {
		f := after.files[p]
		for _, l := range f.counts {
			if t := by[l.cluster]; t != nil && f.sameAs(before.files[p]) {
				t.same = append(t.same, f)
			}
		}
	}
	out := make([]clusterFiles, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, *by[name])
	}
	return out
}

func (t *clusterFiles) compare(ids *idCache, thorough bool) ([]Change, error) {
	if !thorough {
		if gone, fresh, ok := t.changedItems(); ok {
			changes, err := ids.match(gone, fresh)
			if err != nil || !slices.ContainsFunc(changes, func(c Change) bool { return c.dropsObject() }) {
				return changes, err
			}
		}
	}
	return t.compareAll(ids, thorough)
}

// changedItems are the deliveries that only one side has, if all that differs is items of one work that keeps its settings and has no
// hand-over entries: then changes of objects that stay in their work have no outcomes.
func (t *clusterFiles) changedItems() (gone, fresh []Delivery, ok bool) {
	if len(t.before) != 1 || len(t.after) != 1 {
		return nil, nil, false
	}
	before, after := t.before[0], t.after[0]
	a, b := before.scanned, after.scanned
	if a == nil || b == nil || a.handOver+b.handOver > 0 || a.work != b.work || !a.itself.sameAs(b.itself) {
		return nil, nil, false
	}
	was, is := withoutEnds(a.items, b.items)
	gone, fresh = onOneSide(a.holder(before.path).deliveries(was), b.holder(after.path).deliveries(is))
	return gone, fresh, true
}

// withoutEnds returns both lists without what they have in common at the beginning, and at the end as long as the rest does not
// have it, too.
func withoutEnds(a, b []*Content) ([]*Content, []*Content) {
	for len(a) > 0 && len(b) > 0 && a[0].sameAs(b[0]) {
		a, b = a[1:], b[1:]
	}
	restA, restB := a, b
	for len(restA) > 0 && len(restB) > 0 && restA[len(restA)-1].sameAs(restB[len(restB)-1]) {
		restA, restB = restA[:len(restA)-1], restB[:len(restB)-1]
	}
	for _, c := range a[len(restA):] {
		if slices.ContainsFunc(restA, c.sameAs) || slices.ContainsFunc(restB, c.sameAs) {
			return a, b // of equal items, the first are the same on both sides
		}
	}
	return restA, restB
}

func (t *clusterFiles) compareAll(ids *idCache, thorough bool) ([]Change, error) {
	before, err := deliveriesTo(t.cluster, t.before, thorough)
	if err != nil {
		return nil, err
	}
	after, err := deliveriesTo(t.cluster, t.after, thorough)
	if err != nil {
		return nil, err
	}
	changes, err := ids.match(onOneSide(objectsIn(before), objectsIn(after)))
	if err != nil {
		return nil, err
	}
	if err := ids.addDeletions(changes, before, after); err != nil {
		return nil, err
	}
	return t.addOutcomes(ids, changes, before, after, thorough)
}

func objectsIn(all []Delivery) []Delivery {
	entry := func(d Delivery) bool { return d.HandOver }
	if !slices.ContainsFunc(all, entry) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), entry)
}

// deliveryKey is equal for equal deliveries.
type deliveryKey struct {
	work   string
	itself bool
	hash   [sha256.Size]byte
}

func (d *Delivery) key() deliveryKey { return deliveryKey{d.Work, d.Itself, d.Content.Hash} }

// onOneSide are the deliveries that only one side has.
func onOneSide(before, after []Delivery) (gone, fresh []Delivery) {
	for len(before) > 0 && len(after) > 0 && before[0].key() == after[0].key() { // most are at the same place
		before, after = before[1:], after[1:]
	}
	count := make(map[deliveryKey]int, len(after))
	for i := range after {
		count[after[i].key()]++
	}
	for _, d := range before {
		if count[d.key()] > 0 {
			count[d.key()]--
		} else {
			gone = append(gone, d)
		}
	}
	for _, d := range slices.Backward(after) { // of equal deliveries, the first were matched above
		if count[d.key()] > 0 {
			count[d.key()]--
			fresh = append(fresh, d)
		}
	}
	slices.Reverse(fresh)
	return gone, fresh
}
