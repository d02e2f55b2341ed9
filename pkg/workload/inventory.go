package workload

import (
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Cluster is what is known about one cluster. Do not change it.
type Cluster struct {
	Name        string
	Labels      map[string]string
	Annotations map[string]string
	Data        map[string]string // properties, from a ConfigMap or an Inventory
	BinaryData  map[string][]byte // properties, decoded
	Object      *krm.Object       // the ManagedCluster or Inventory that names it, for results
}

// Inventory holds the clusters of a fleet. It is immutable and safe for concurrent use.
type Inventory struct {
	Clusters []Cluster // sorted by name, bytewise
	byName   map[string]int
	unlisted map[string]Cluster // properties of clusters that the inventory does not name
}

// ReadInventory collects the clusters among items: ManagedClusters, with the ConfigMaps of
// their names in namespace customization-properties, and fn.waybill.dev Inventory items. Local
// configuration counts. In both forms labels and annotations must be text and obey the rules of Kubernetes.
// A cluster that is named twice is an error, and so is an inventory without
// clusters unless allowEmpty: an empty list is more often a broken export than a fleet without clusters.
func ReadInventory(items []*krm.Object, allowEmpty bool) (*Inventory, sdk.Results) {
	r := inventoryReader{clusters: map[string]Cluster{}, properties: map[string]*krm.Object{}, checked: map[ruleCheck][]string{}}
	for _, o := range inventoryItems(items) {
		switch {
		case o.Is(ManagedClusterKind.Group, ManagedClusterKind.Kind):
			r.addManaged(o)
		case o.Is(InventoryKind.Group, InventoryKind.Kind):
			r.addInventory(o)
		case isProperties(o):
			r.addProperties(o)
		}
	}
	inv := r.inventory()
	if len(inv.Clusters) == 0 && !allowEmpty && len(r.faults) == 0 {
		r.fail(nil, nil, "the inventory is empty: give ManagedCluster or Inventory items, or set allowEmptyInventory to \"true\" if "+
			"this is intended")
	}
	return inv, r.faults
}

// Get returns the cluster of that name and whether the inventory names it. For a cluster that it
// does not name, it returns the properties, if there are any.
func (inv *Inventory) Get(name string) (Cluster, bool) {
	if i, ok := inv.byName[name]; ok {
		return inv.Clusters[i], true
	}
	if c, ok := inv.unlisted[name]; ok {
		return c, false
	}
	return Cluster{Name: name}, false
}

// inventoryItems are the items of an inventory, sorted, so that the order of the list does not decide which of
// two is the duplicate.
func inventoryItems(items []*krm.Object) (out []*krm.Object) {
	for _, o := range items {
		if o.Is(ManagedClusterKind.Group, ManagedClusterKind.Kind) || o.Is(InventoryKind.Group, InventoryKind.Kind) || isProperties(o) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, Compare)
	return out
}

type inventoryReader struct {
	clusters   map[string]Cluster
	properties map[string]*krm.Object // the ConfigMaps, by cluster
	checked    map[ruleCheck][]string // keys and values, most of which many clusters have
	faults     sdk.Results
}

func (r *inventoryReader) fail(o *krm.Object, at *field.Path, format string, args ...any) {
	r.faults = append(r.faults, fn.NewResult(sdk.Error, o, at, format, args...))
}

// add adds a cluster. at is its name in its Object.
func (r *inventoryReader) add(c Cluster, at *field.Path) {
	first, twice := r.clusters[c.Name]
	switch faults := validation.IsDNS1123Label(c.Name); {
	case len(faults) > 0:
		r.fail(c.Object, at, "cluster name %q: %s", c.Name, strings.Join(faults, "; "))
	case twice:
		r.fail(c.Object, at, "cluster %q is named twice, also by %s", c.Name, first.Object.Describe())
	default:
		r.clusters[c.Name] = c
	}
}

// inventory combines clusters and properties.
func (r *inventoryReader) inventory() *Inventory {
	inv := &Inventory{byName: map[string]int{}, unlisted: map[string]Cluster{}}
	for _, name := range slices.Sorted(maps.Keys(r.properties)) {
		c, named := r.clusters[name]
		c.Name = name
		r.fill(&c, r.properties[name])
		if named {
			r.clusters[name] = c
		} else {
			inv.unlisted[name] = c
		}
	}
	for i, name := range slices.Sorted(maps.Keys(r.clusters)) {
		inv.Clusters = append(inv.Clusters, r.clusters[name])
		inv.byName[name] = i
	}
	return inv
}
