package fleet

import (
	"crypto/sha256"
	"maps"
	"slices"
)

// twoLoads are the files that deliver something to a cluster, and that are not the same on both sides.
type twoLoads struct {
	cluster       string
	before, after []*file
	same          []*file // that are the same on both sides
}

// differing are the clusters with files that differ, sorted by name.
func differing(before, after *Fleet) []twoLoads {
	by := map[string]*twoLoads{}
	add := func(these, others *Fleet, list func(*twoLoads) *[]*file) {
		for _, p := range these.order {
			f := these.files[p]
			if f.sameAs(others.files[p]) {
				continue
			}
			for _, l := range f.loads {
				if by[l.cluster] == nil {
					by[l.cluster] = &twoLoads{cluster: l.cluster}
				}
				into := list(by[l.cluster])
				*into = append(*into, f)
			}
		}
	}
	add(before, after, func(t *twoLoads) *[]*file { return &t.before })
	add(after, before, func(t *twoLoads) *[]*file { return &t.after })
	for _, p := range after.order {
		f := after.files[p]
		for _, l := range f.loads {
			if t := by[l.cluster]; t != nil && f.sameAs(before.files[p]) {
				t.same = append(t.same, f)
			}
		}
	}
	out := make([]twoLoads, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, *by[name])
	}
	return out
}

// compare lists what is different for a cluster.
func (t *twoLoads) compare(ids *idCache, thorough bool) ([]Change, error) {
	before, err := t.deliveries(t.before, thorough)
	if err != nil {
		return nil, err
	}
	after, err := t.deliveries(t.after, thorough)
	if err != nil {
		return nil, err
	}
	changes, err := ids.match(apart(objectsIn(before), objectsIn(after)))
	if err != nil {
		return nil, err
	}
	return t.settle(ids, changes, before, after, thorough)
}

// objectsIn are deliveries without the hand-over entries.
func objectsIn(all []Delivery) []Delivery {
	entry := func(d Delivery) bool { return d.HandOver }
	if !slices.ContainsFunc(all, entry) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), entry)
}

func (t *twoLoads) deliveries(files []*file, thorough bool) (out []Delivery, err error) {
	for _, f := range files {
		all, err := f.deliveries(thorough)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			if d.Cluster == t.cluster {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// sent is what makes a delivery the same as another.
type sent struct {
	work   string
	itself bool
	hash   [sha256.Size]byte
}

func (d *Delivery) sent() sent { return sent{d.Work, d.Itself, d.Content.Hash} }

// apart are what is on one side only.
func apart(before, after []Delivery) (gone, fresh []Delivery) {
	count := map[sent]int{}
	for i := range after {
		count[after[i].sent()]++
	}
	for _, d := range before {
		if count[d.sent()] > 0 {
			count[d.sent()]--
		} else {
			gone = append(gone, d)
		}
	}
	for _, d := range slices.Backward(after) { // of several that are the same, the first were found above
		if count[d.sent()] > 0 {
			count[d.sent()]--
			fresh = append(fresh, d)
		}
	}
	slices.Reverse(fresh)
	return gone, fresh
}
