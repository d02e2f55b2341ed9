package index

import (
	"bytes"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Index is what a whole fleet receives. Nothing in it may be changed.
type Index struct {
	// Policies are the names of the policies that deliver anything, sorted; "" stands for deliveries without a policy.
	Policies []string
	// Objects are all objects that any cluster receives, or that the preview is about, sorted by kind, namespace and name.
	Objects []Object
	// Clusters are the clusters that receive something, that the package names, or that received something before, sorted
	// by name.
	Clusters []Cluster
	// Preview is the comparison with another side; nil if there is none.
	Preview *waybill.FleetPreview
}

// Identity is what makes an object of the index the same object.
type Identity struct {
	krm.ID
	// Itself means a ManifestWork without its manifests.
	Itself bool
}

// Object is one identity, in any number of clusters.
type Object struct {
	Identity
	// Texts are the different YAML texts of the object, the commonest first. Values of Secrets are replaced.
	Texts []string
}

// Cluster is a row.
type Cluster struct {
	Name string
	// Labels are key=value, sorted; none if the package does not name the cluster.
	Labels []string
	Loads  []Load
}

// Load is what a cluster receives together: in one work, or in one file.
type Load struct {
	Policy int    // place in Policies
	Work   string // "" for plain objects
	File   string
	Items  []Item // sorted by object
	// HandsOver are the objects of its hand-over entries, sorted; they are not among Items.
	HandsOver []int
}

// Item is an object with one of its texts.
type Item struct{ Object, Text int }

// Count is the number of objects of a load, without the work itself.
func (a *Index) Count(l *Load) (n int) {
	for _, i := range l.Items {
		if !a.Objects[i.Object].Itself {
			n++
		}
	}
	return n
}

// LabelsIn are the labels of all clusters that the package names, as key=value, sorted. It skips what it cannot read of an
// inventory: rendering reports that.
func LabelsIn(tree pkgtree.Tree) map[string][]string {
	var items []*krm.Object
	for p, blob := range tree.All() {
		if !fleet.HoldsObjects(p) || !mayKnowClusters(blob) {
			continue
		}
		if objects, err := krm.Read(p, blob.Data(), krm.Limits{}); err == nil {
			items = append(items, objects...)
		}
	}
	inventory, _ := workload.ReadInventory(items, true)
	out := map[string][]string{}
	for _, c := range inventory.Clusters {
		labels := []string{}
		for key, value := range c.Labels {
			labels = append(labels, key+"="+value)
		}
		slices.Sort(labels)
		out[c.Name] = labels
	}
	return out
}

func mayKnowClusters(b *pkgtree.Blob) (may bool) {
	b.View(func(data []byte) {
		may = !bytes.Contains(data, []byte(manifestwork.Kind)) &&
			(bytes.Contains(data, []byte("ManagedCluster")) || bytes.Contains(data, []byte("Inventory")))
	})
	return may
}
