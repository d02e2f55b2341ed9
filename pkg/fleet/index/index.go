package index

import (
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Index is what a whole fleet receives. Nothing in it may be changed.
type Index struct {
	// Policies are the names of those that anything is delivered for, sorted; "" is of what comes without.
	Policies []string
	// Objects are all that is delivered anywhere, and what a comparison is about, sorted by kind, namespace and name.
	Objects []Object
	// Clusters are those that receive something, those that the package knows of, and those that received something
	// before, sorted by name.
	Clusters []Cluster
	// Preview says what is different from another side; nil when there is none.
	Preview *waybill.FleetPreview
}

// Object is one identity, in however many clusters.
type Object struct {
	krm.ID
	// Itself says that it is a ManifestWork, without what it carries.
	Itself bool
	// Texts are what it says, the commonest first, each another YAML. Values of Secrets are replaced.
	Texts []string
}

// Cluster is a row.
type Cluster struct {
	Name string
	// Labels are key=value, sorted; none when the package does not know the cluster.
	Labels []string
	Loads  []Load
}

// Load is what a cluster receives together: in one work, or in one file.
type Load struct {
	Policy int    // place in Policies
	Work   string // "" for plain objects
	File   string
	Items  []Item // sorted by object
	// HandsOver are the objects of its hand-over entries, which are not among its items, sorted.
	HandsOver []int
}

// Item is an object that says that.
type Item struct{ Object, Text int }

// Count is how many objects the load is, the work itself apart.
func (a *Index) Count(l *Load) (n int) {
	for _, i := range l.Items {
		if !a.Objects[i.Object].Itself {
			n++
		}
	}
	return n
}
