package graph

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Graph has nodes in order, and edges from policies to objects to clusters.
type Graph struct {
	Nodes []Node
	Edges []Edge
	// Folded are sentences about nodes that stand for several things.
	Folded []string
}

// Node is a policy, an object or a group of clusters; or several.
type Node struct {
	Name  string // a letter and a number, unique
	Role  Role
	Label string // for people; it may hold anything and is shortened and escaped when it is written
	// Changed says that an object of the node changes, and Level is that of the riskiest change, if a rule applies.
	Changed bool
	Level   string
}

// Role is what a node stands for.
type Role byte

// Roles, which also begin the names of nodes.
const (
	Policy   Role = 'p'
	Object   Role = 'o'
	Clusters Role = 'c'
)

// Edge is a line between two nodes, by their names.
type Edge struct{ From, To string }

// Bounds, in nodes: people cannot read a larger drawing.
const (
	mostPolicies = 20
	mostObjects  = 36
	mostClusters = 10
)

// Bounds of labels: in characters, in names of clusters, and in characters of all these names.
const (
	longest   = 72
	mostNamed = 3
	roomNamed = 52
)

// pair is an object as a policy delivers it.
type pair struct{ policy, object int }

// Of draws a, folded.
func Of(a *index.Index) *Graph {
	d := &drawing{index: a, reach: map[pair]uint16{}}
	d.groupClusters()
	d.foldPolicies()
	d.addPolicies()
	d.addObjects()
	d.addClusters()
	if len(d.Nodes) == 0 {
		d.Nodes = []Node{{Name: nodeName(Clusters, 0), Role: Clusters, Label: "nothing: there is no cluster, and no object"}}
	}
	return &d.Graph
}

type drawing struct {
	Graph
	index    *index.Index
	groups   []group
	reach    map[pair]uint16 // bits of the groups that receive a pair
	policies []string        // labels of policies that have a node
	becomes  []int           // the node of each policy
}

// group is a set of clusters that receive the same objects.
type group struct {
	clusters []string
	pairs    []pair
	others   bool // stands for all remaining clusters
}

func (d *drawing) groupClusters() {
	by := map[string]*group{}
	for i := range d.index.Clusters {
		c := &d.index.Clusters[i]
		key, pairs := d.received(c)
		if by[key] == nil {
			by[key] = &group{pairs: pairs}
		}
		by[key].clusters = append(by[key].clusters, c.Name)
	}
	for _, g := range by {
		d.groups = append(d.groups, *g)
	}
	slices.SortFunc(d.groups, func(x, y group) int {
		return cmp.Or(cmp.Compare(len(y.clusters), len(x.clusters)), cmp.Compare(x.clusters[0], y.clusters[0]))
	})
	if len(d.groups) > mostClusters {
		d.Folded = append(d.Folded, fmt.Sprintf("clusters receive %d different sets of objects; the %d commonest are apart",
			len(d.groups), mostClusters-1))
		d.groups = append(d.groups[:mostClusters-1], merged(d.groups[mostClusters-1:]))
	}
	for n, g := range d.groups {
		for _, p := range g.pairs {
			d.reach[p] |= 1 << n
		}
	}
}

// received is what a cluster receives, sorted, also as a key.
func (d *drawing) received(c *index.Cluster) (key string, pairs []pair) {
	for _, l := range c.Loads {
		for _, item := range l.Items {
			if !d.index.Objects[item.Object].Itself {
				pairs = append(pairs, pair{l.Policy, item.Object})
			}
		}
	}
	slices.SortFunc(pairs, comparePairs)
	pairs = slices.Compact(pairs)
	var text []byte
	for _, p := range pairs {
		text = binary.AppendUvarint(binary.AppendUvarint(text, uint64(p.policy)), uint64(p.object)) // #nosec G115 -- places in lists
	}
	return string(text), pairs
}

func comparePairs(x, y pair) int {
	return cmp.Or(cmp.Compare(x.policy, y.policy), cmp.Compare(x.object, y.object))
}

func merged(groups []group) group {
	out := group{others: true}
	for _, g := range groups {
		out.clusters = append(out.clusters, g.clusters...)
		out.pairs = append(out.pairs, g.pairs...)
	}
	slices.Sort(out.clusters)
	slices.SortFunc(out.pairs, comparePairs)
	out.pairs = slices.Compact(out.pairs)
	return out
}

// foldPolicies draws the policies of most clusters apart, and one node for the others.
func (d *drawing) foldPolicies() {
	count := len(d.index.Policies)
	d.becomes = make([]int, count)
	for i := range d.becomes {
		d.becomes[i] = i
	}
	d.policies = slices.Clone(d.index.Policies)
	if count <= mostPolicies {
		return
	}
	on := make([]int, count)
	for _, g := range d.groups {
		for _, p := range g.pairs {
			on[p.policy] += len(g.clusters)
		}
	}
	order := slices.Clone(d.becomes)
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(on[y], on[x]) })
	kept := slices.Sorted(slices.Values(order[:mostPolicies-1]))
	d.policies = nil
	for n, p := range kept {
		d.policies = append(d.policies, d.index.Policies[p])
		d.becomes[p] = n
	}
	for _, p := range order[mostPolicies-1:] {
		d.becomes[p] = mostPolicies - 1
	}
	d.policies = append(d.policies, fmt.Sprintf("%d other policies", count-len(kept)))
	d.Folded = append(d.Folded, fmt.Sprintf("of %d policies, the %d that deliver most are apart", count, len(kept)))
}

func (d *drawing) addPolicies() {
	for n, name := range safetext.Distinct(d.policies, longest) {
		d.Nodes = append(d.Nodes, Node{Name: nodeName(Policy, n), Role: Policy, Label: cmp.Or(name, "no policy")})
	}
}

func (d *drawing) addClusters() {
	var first []string
	for _, g := range d.groups {
		first = append(first, g.clusters[0])
	}
	first = safetext.Distinct(first, longest)
	for n, g := range d.groups {
		label := first[n]
		switch count := len(g.clusters); {
		case g.others:
			label = fmt.Sprintf("%d other clusters", count)
		case len(g.pairs) == 0:
			label = selection.Count(count, "cluster") + " without objects: " + some(g.clusters)
		case count > 1:
			label = selection.Count(count, "cluster") + ": " + some(g.clusters)
		}
		d.Nodes = append(d.Nodes, Node{Name: nodeName(Clusters, n), Role: Clusters, Label: label})
	}
}

// some returns the first names, shortened to fit into a label.
func some(names []string) string {
	few := names[:min(len(names), mostNamed)]
	text := strings.Join(safetext.Distinct(few, roomNamed/len(few)-len(", ")), ", ")
	if len(names) > len(few) {
		text += ", …"
	}
	return text
}

func nodeName(r Role, n int) string { return fmt.Sprintf("%c%d", r, n) }
