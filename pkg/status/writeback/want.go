package writeback

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Selection is what one policy requests: its Binding, with complete identities.
type Selection struct {
	Policy string
	// Objects are in the order of the Binding.
	Objects []Selected
	// Destinations are clusters, in any order.
	Destinations []string
}

// Selected is one object of a Selection.
type Selected struct {
	Object reports.Identity
	// Singleton requests the status of the one cluster that has the object.
	Singleton bool
	// Multi requests the aggregate of the statuses of all clusters.
	Multi bool
}

// Want is what all policies together request for one object. A policy adds its clusters only to what it requests.
type Want struct {
	Singleton, Multi bool
	// SingletonClusters and MultiClusters are sorted, without duplicates.
	SingletonClusters, MultiClusters []string
}

// Wants is what policies request, by object.
type Wants struct {
	selections []Selection
	objects    map[reports.Identity]Want
}

// Resolve combines what policies request, in any order. The selections must not change afterwards.
func Resolve(selections []Selection) *Wants {
	w := &Wants{selections: selections, objects: map[reports.Identity]Want{}}
	for _, s := range selections {
		clusters := sortedSet(s.Destinations)
		for _, o := range s.Objects {
			if o.Singleton || o.Multi {
				w.objects[o.Object] = w.objects[o.Object].with(o, clusters)
			}
		}
	}
	return w
}

// Of returns what is requested for one object.
func (w *Wants) Of(id reports.Identity) Want { return w.objects[id] }

// with adds what one policy with these clusters requests. Slices are shared, never written to.
func (w Want) with(o Selected, clusters []string) Want {
	if o.Singleton {
		w.SingletonClusters = union(w.SingletonClusters, clusters)
		w.Singleton = true
	}
	if o.Multi {
		w.MultiClusters = union(w.MultiClusters, clusters)
		w.Multi = true
	}
	return w
}

// union is the union of two sorted sets. Neither is changed; the result may be one of them.
func union(a, b []string) []string {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0 || slices.Equal(a, b):
		return a
	}
	return sortedSet(slices.Concat(a, b))
}

func sortedSet(names []string) []string {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
