package index

import (
	"bytes"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// labelsIn are the labels of all clusters that the package knows of, as key=value, sorted. What is wrong with an inventory
// is for those to say who render it: here, what can be read counts.
func labelsIn(tree pkgtree.Tree) map[string][]string {
	var items []*krm.Object
	for p, blob := range tree.All() {
		if !mayKnowClusters(p, blob.Data()) {
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

func mayKnowClusters(p string, data []byte) bool {
	switch path.Ext(p) {
	case ".yaml", ".yml", ".json":
		return !bytes.Contains(data, []byte(manifestwork.Kind)) &&
			(bytes.Contains(data, []byte("ManagedCluster")) || bytes.Contains(data, []byte("Inventory")))
	}
	return false
}
