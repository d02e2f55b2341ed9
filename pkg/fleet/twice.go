package fleet

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Twin is a work that stands in several files. Of works with the same name in the same namespace there can be only one.
type Twin struct {
	Cluster, Work string
	Files         []string // sorted
}

// Twins are the works that stand in several places, sorted by cluster and name.
func (f *Fleet) Twins() (out []Twin) {
	first := map[work]string{}
	more := map[work][]string{}
	for _, p := range f.order {
		for _, w := range f.files[p].works {
			if _, known := first[w]; known {
				more[w] = append(more[w], p)
			} else {
				first[w] = p
			}
		}
	}
	for w, files := range more {
		files = slices.Compact(slices.Sorted(slices.Values(append(files, first[w]))))
		out = append(out, Twin{w.cluster, w.name, files})
	}
	slices.SortFunc(out, func(a, b Twin) int {
		return cmp.Or(strings.Compare(a.Cluster, b.Cluster), strings.Compare(a.Work, b.Work))
	})
	return out
}

// dropTwins drops what comes or goes in one file of a work only: what stays in another is not removed, and what was there
// in another, the very same, is not added.
func (c *Comparison) dropTwins(ids *idCache, thorough bool) (err error) {
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
		twin, err = side.carries(ids, d, ch.ID, files, ch.After == nil, thorough)
		return twin
	})
	return err
}

// placesOf are the files that each work stands in, on either side.
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

// carries reports whether one of the files has what comes or goes, in the same work: the object if that goes, and the very
// same if it comes.
func (f *Fleet) carries(ids *idCache, d *Delivery, id krm.ID, files []string, goes, thorough bool) (bool, error) {
	for _, p := range files {
		other := f.files[p]
		if other == nil || !bytes.Contains(other.blob.Data(), []byte(id.Name)) {
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
