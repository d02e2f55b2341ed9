package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// bundle is what the objects of one node have in common.
type bundle struct {
	policy int
	reach  uint16 // 0 if they differ
	kind   string
	object int // -1 if they differ
}

// ways are how to put objects together, from each object apart to all objects of a policy. The first way that is small
// enough is used.
var ways = []struct {
	says string
	key  func(b bundle) bundle
}{
	{"", func(b bundle) bundle { return b }},
	{"objects of a kind that go to the same clusters stand together", func(b bundle) bundle { return bundle{b.policy, b.reach, b.kind, -1} }},
	{"objects of a kind stand together", func(b bundle) bundle { return bundle{b.policy, 0, b.kind, -1} }},
	{"all objects of a policy stand together", func(b bundle) bundle { return bundle{b.policy, 0, "", -1} }},
}

// members are the objects of a node, and the groups of clusters that receive any of them.
type members struct {
	objects map[int]bool
	reach   uint16
}

func (d *drawing) addObjects() {
	changed := d.index.Changed()
	removed := d.removed(changed)
	for _, way := range ways {
		bundles := d.bundles(way.key)
		if len(bundles)+min(1, len(removed)) > mostObjects {
			continue
		}
		if way.says != "" {
			d.Folded = append(d.Folded, way.says)
		}
		d.draw(bundles, changed)
		d.drawRemoved(len(bundles), removed, changed)
		return
	}
}

func (d *drawing) bundles(key func(bundle) bundle) map[bundle]*members {
	out := map[bundle]*members{}
	for p, reach := range d.reach {
		b := key(bundle{d.becomes[p.policy], reach, d.index.Objects[p.object].Kind, p.object})
		if out[b] == nil {
			out[b] = &members{objects: map[int]bool{}}
		}
		out[b].objects[p.object] = true
		out[b].reach |= reach
	}
	return out
}

func (d *drawing) draw(bundles map[bundle]*members, changed map[int]string) {
	keys := slices.SortedFunc(maps.Keys(bundles), func(x, y bundle) int {
		return cmp.Or(cmp.Compare(x.policy, y.policy), cmp.Compare(x.object, y.object), cmp.Compare(x.kind, y.kind),
			cmp.Compare(x.reach, y.reach))
	})
	var labels []string
	for _, b := range keys {
		labels = append(labels, d.label(b, bundles[b]))
	}
	labels = safetext.Distinct(labels, longest)
	for n, b := range keys {
		name := nodeName(Object, n)
		node := Node{Name: name, Role: Object, Label: labels[n]}
		for o := range bundles[b].objects {
			if level, changes := changed[o]; changes {
				node.Changed, node.Level = true, index.Riskier(node.Level, level)
			}
		}
		d.Nodes = append(d.Nodes, node)
		d.Edges = append(d.Edges, Edge{nodeName(Policy, b.policy), name})
		for c := range d.groups {
			if bundles[b].reach&(1<<c) != 0 {
				d.Edges = append(d.Edges, Edge{name, nodeName(Clusters, c)})
			}
		}
	}
}

func (d *drawing) label(b bundle, m *members) string {
	if len(m.objects) == 1 {
		for o := range m.objects {
			return d.index.Objects[o].Title()
		}
	}
	if b.kind == "" {
		return selection.Count(len(m.objects), "object")
	}
	return fmt.Sprintf("%d × %s", len(m.objects), b.kind)
}
