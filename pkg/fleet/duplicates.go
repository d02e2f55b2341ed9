package fleet

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Duplicate is a work that several files hold. A cluster can have only one work of a name.
type Duplicate struct {
	Cluster, Work string
	Files         []string // sorted
}

// Duplicates are the works that several files hold, sorted by cluster and name.
func (f *Fleet) Duplicates() (out []Duplicate) {
	files := map[work][]string{}
	for _, p := range f.order {
		for _, w := range f.files[p].works {
			files[w] = append(files[w], p)
		}
	}
	for w, in := range files {
		if len(in) > 1 {
			out = append(out, Duplicate{w.cluster, w.name, slices.Compact(in)})
		}
	}
	slices.SortFunc(out, func(a, b Duplicate) int {
		return cmp.Or(strings.Compare(a.Cluster, b.Cluster), strings.Compare(a.Work, b.Work))
	})
	return out
}

// dropDuplicates drops changes of one file of a duplicated work: an object that another file still holds is not removed,
// and an object that another file held before is not added.
func (c *Comparison) dropDuplicates(ids *idCache, thorough bool) (err error) {
	places := placesOf(c.Before, c.After)
	c.Changes = slices.DeleteFunc(c.Changes, func(ch Change) bool {
		d, side := ch.Before, c.After
		if d == nil {
			d, side = ch.After, c.Before
		}
		files := places[work{d.Cluster, d.Work}]
		if err != nil || ch.Before != nil && ch.After != nil || len(files) < 2 {
			return false
		}
		var twin bool
		twin, err = side.delivers(ids, d, ch.ID, files, ch.After == nil, thorough)
		return twin
	})
	return err
}

// placesOf are the files that hold each work, on either side.
func placesOf(fleets ...*Fleet) map[work][]string {
	out := map[work][]string{}
	for _, f := range fleets {
		for _, p := range f.order {
			for _, w := range f.files[p].works {
				if !slices.Contains(out[w], p) {
					out[w] = append(out[w], p)
				}
			}
		}
	}
	return out
}

// delivers reports whether one of the files holds the object of d in the same work: with any data if d is removed, with the
// same data if it is added.
func (f *Fleet) delivers(ids *idCache, d *Delivery, id krm.ID, files []string, goes, thorough bool) (bool, error) {
	for _, p := range files {
		other := f.files[p]
		if other == nil || !other.mentions(id.Name) {
			continue
		}
		all, err := other.deliveries(thorough)
		if err != nil {
			return false, err
		}
		for i := range all {
			o := &all[i]
			if o.Cluster != d.Cluster || o.Work != d.Work || o.Itself != d.Itself || o.HandOver != d.HandOver {
				continue
			}
			if o.Content.Hash == d.Content.Hash {
				return true, nil
			}
			if !goes || !bytes.Contains(o.Content.text, []byte(id.Name)) {
				continue
			}
			if known, err := ids.of(o.Content); err != nil || known == id {
				return true, err
			}
		}
	}
	return false, nil
}
