package edit

import (
	"context"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// All gives filter copies of all items at once. A node that filter returns replaces the item whose copy it is: the same
// node, else the same identity, in the same place if there are several. An item without a counterpart is removed; a node
// without one is a new item, at the end. Items keep their places. The end of ctx is an error before and after filter, which
// checks ctx itself.
func All(ctx context.Context, in *fn.Input, filter kio.Filter) (*fn.Output, error) {
	copies := make([]*krm.Object, len(in.Items))
	nodes := make([]*yaml.RNode, len(in.Items))
	for i, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copies[i] = Copy(o)
		nodes[i] = yaml.NewRNode(copies[i].Node())
	}
	results, err := filter.Filter(nodes)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, oneLine(err)
	}
	m := &matcher{found: make([]*krm.Object, len(copies)), copies: copies}
	added := m.matchIdentities(m.matchNodes(results))
	out := &fn.Output{}
	for i, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if m.found[i] != nil {
			out.Items = append(out.Items, RestoreForm(o, m.found[i]))
		}
	}
	out.Items = append(out.Items, added...)
	return out, nil
}

// matcher finds the item of which a node is the edited copy.
type matcher struct {
	found  []*krm.Object // by item: its new object, nil while unknown
	copies []*krm.Object
}

// matchNodes finds the items of returned nodes, and returns the other nodes.
func (m *matcher) matchNodes(results []*yaml.RNode) (others []*yaml.Node) {
	item := make(map[*yaml.Node]int, len(m.copies))
	for i, c := range m.copies {
		item[c.Node()] = i
	}
	for _, r := range results {
		if i, ok := item[r.YNode()]; ok && m.found[i] == nil {
			m.found[i] = m.copies[i]
		} else {
			others = append(others, r.YNode())
		}
	}
	return others
}

// matchIdentities finds the items of nodes among those without a node, by identity, and returns the new objects.
func (m *matcher) matchIdentities(nodes []*yaml.Node) (added []*krm.Object) {
	if len(nodes) == 0 {
		return nil
	}
	items := map[krm.ID][]int{}
	for i, c := range m.copies {
		if m.found[i] == nil {
			items[c.ID()] = append(items[c.ID()], i)
		}
	}
	for _, n := range nodes {
		o := krm.FromNode(krm.CopyNode(n))
		i, rest := take(items[o.ID()], func(i int) bool { return o.File() == m.copies[i].File() && o.Index() == m.copies[i].Index() })
		items[o.ID()] = rest
		if i < 0 {
			added = append(added, o)
			continue
		}
		o.ContinueFrom(m.copies[i])
		m.found[i] = o
	}
	return added
}

// take returns the first of from that is best, else the first, else -1; and the rest.
func take(from []int, best func(int) bool) (int, []int) {
	if len(from) == 0 {
		return -1, nil
	}
	at := max(0, slices.IndexFunc(from, best))
	return from[at], slices.Delete(slices.Clone(from), at, at+1)
}
