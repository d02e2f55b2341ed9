package graph

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// removed are the objects that change, and that no cluster receives any more.
func (d *drawing) removed(changed map[int]string) []int {
	left := maps.Clone(changed)
	for p := range d.reach {
		delete(left, p.object)
	}
	return slices.Sorted(maps.Keys(left))
}

// drawRemoved adds these objects after the n objects that are delivered, without edges: each apart, or else one node for all.
func (d *drawing) drawRemoved(n int, removed []int, changed map[int]string) {
	var labels []string
	for _, o := range removed {
		labels = append(labels, "removed: "+d.index.Objects[o].Title())
	}
	apart := safetext.Distinct(labels, longest)
	if n+len(removed) > mostObjects {
		d.Folded = append(d.Folded, "removed objects stand together")
		apart = []string{"removed: " + selection.Count(len(removed), "object")}
	}
	for i, label := range apart {
		node := Node{Name: nodeName(Object, n+i), Role: Object, Label: label, Changed: true, Level: changed[removed[i]]}
		if len(apart) < len(removed) {
			for _, o := range removed {
				node.Level = index.Riskier(node.Level, changed[o])
			}
		}
		d.Nodes = append(d.Nodes, node)
	}
}
