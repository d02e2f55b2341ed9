package budget

import "slices"

// Plus is both changes taken together. A cluster that both concern is one cluster.
func (c Change) Plus(d Change) Change {
	clusters := slices.Concat(c.Clusters, d.Clusters)
	slices.Sort(clusters)
	return Change{Clusters: slices.Compact(clusters), Objects: c.Objects + d.Objects, Deletions: c.Deletions + d.Deletions}
}
