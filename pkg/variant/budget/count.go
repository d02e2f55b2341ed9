package budget

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Change is how much would change. The package comment says what counts.
type Change struct {
	// Clusters are the names of the clusters that would change, sorted, each once.
	Clusters []string `json:"clusters,omitempty"`
	// Objects is how many would be added, removed or different.
	Objects int `json:"objects"`
	// Deletions is how many of Objects would be removed.
	Deletions int `json:"deletions"`
}

// IsZero reports whether nothing that counts would change.
func (c Change) IsZero() bool { return len(c.Clusters) == 0 && c.Objects == 0 && c.Deletions == 0 }

// Count says what after changes as compared with before, which is the zero Tree where nothing is
// published yet. Whatever the files hold, it has an answer: text that is no YAML is one object.
func Count(before, after pkgtree.Tree) Change {
	was, is := contents{}, contents{}
	for _, file := range before.Diff(after) {
		was.add(file, before.Blob(file))
		is.add(file, after.Blob(file))
	}
	var c Change
	clusters := map[string]bool{}
	for k := range is {
		was.put(k) // so that it has the keys of both
	}
	for k := range was {
		d := compare(was[k], is[k])
		if d.objects() == 0 {
			continue
		}
		if k.cluster != "" {
			clusters[k.cluster] = true
		}
		switch k.class {
		case counted:
			c.Objects += d.objects()
			c.Deletions += d.removed
		case frame:
			c.Objects += d.changed
		}
	}
	c.Clusters = slices.Sorted(maps.Keys(clusters))
	return c
}

// Sum is changes taken together. A cluster that several of them concern is one cluster.
func Sum(changes ...Change) (sum Change) {
	for _, c := range changes {
		sum.Clusters = append(sum.Clusters, c.Clusters...)
		sum.Objects += c.Objects
		sum.Deletions += c.Deletions
	}
	slices.Sort(sum.Clusters)
	sum.Clusters = slices.Compact(sum.Clusters)
	return sum
}
