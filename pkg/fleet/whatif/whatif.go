package whatif

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Change adds, replaces, removes or labels the clusters that a package knows.
type Change struct {
	// With are ManagedClusters, and ConfigMaps with their properties, that are added or replace those of the same name.
	With []*krm.Object
	// Without are the names of clusters to remove.
	Without []string
	// Labels are changes of labels of clusters, made last, in this order.
	Labels []LabelChange
}

// LabelChange sets a label of a cluster, or removes it.
type LabelChange struct {
	Cluster, Key, Value string
	Remove              bool
}

// ParseLabelChange reads NAME=KEY=VALUE, or NAME=KEY- to remove the label.
func ParseLabelChange(text string) (LabelChange, error) {
	cluster, label, ok := strings.Cut(text, "=")
	key, value, sets := strings.Cut(label, "=")
	if !sets {
		key, ok = strings.CutSuffix(label, "-")
	}
	if !ok || cluster == "" || key == "" {
		return LabelChange{}, fmt.Errorf("want NAME=KEY=VALUE, or NAME=KEY- to remove a label")
	}
	return LabelChange{Cluster: cluster, Key: key, Value: value, Remove: !sets}, nil
}

// Empty reports whether w changes nothing.
func (w *Change) Empty() bool { return len(w.With)+len(w.Without)+len(w.Labels) == 0 }

const (
	clusterGroup, clusterKind = "cluster.open-cluster-management.io", "ManagedCluster"
	inventoryGroup            = "fn.waybill.dev"
	inventoryKind             = "Inventory"
	propertiesNamespace       = "customization-properties"
	// withFile holds the clusters that are added to a package.
	withFile = "waybill-what-if.yaml"
)

// Apply returns the changed tree, and the origin of the lines that it wrote. It replaces a known cluster in place, and adds
// a new one to every package that names clusters. To remove or to label an unknown cluster is an error.
func (w *Change) Apply(tree pkgtree.Tree) (pkgtree.Tree, Lines, error) {
	if w.Empty() {
		return tree, nil, nil
	}
	e, err := newEdits(w)
	if err != nil {
		return tree, nil, err
	}
	for p, blob := range tree.All() {
		if !fleet.IsSource(tree, p) || !namesClusters(blob.Data()) {
			continue
		}
		if err := e.file(tree, p, blob.Data()); err != nil {
			return tree, nil, err
		}
	}
	if err := e.add(tree); err != nil {
		return tree, nil, err
	}
	if len(e.unknown) > 0 {
		return tree, nil, fmt.Errorf("what if: no ManagedCluster and no Inventory names cluster %q", slices.Sorted(maps.Keys(e.unknown))[0])
	}
	changes, lines, err := e.written()
	if err != nil {
		return tree, nil, err
	}
	tree, err = tree.Apply(changes)
	return tree, lines, err
}
