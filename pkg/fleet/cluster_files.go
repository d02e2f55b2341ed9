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
	count := map[deliveryKey]int{}
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
