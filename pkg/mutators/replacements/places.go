package replacements

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// places is a cache of the nodes that plain paths lead to: many targets set the same field, and finding
// it reads memory in many places.
type places struct {
	byPath map[string][]place // by the text of the path; then by item
	shapes []int              // by item: how often a part of it was replaced as a whole
	left   int                // how many more nodes may be added
}

type place struct {
	node  *yaml.Node
	shape int // of the item, when node was found
}

// mostPlaces limits the memory of places.
const mostPlaces = 4_000_000

// isPlain reports whether p leads to one field, by names alone.
func (p path) isPlain() bool {
	return !slices.ContainsFunc(p.steps, func(s step) bool { return s.parent() != yaml.MappingNode })
}

// get is the node that p leads to in item i, nil when that is not known.
func (ps *places) get(p path, i int) *yaml.Node {
	if known := ps.byPath[p.text]; known != nil && known[i].shape == ps.shapes[i] {
		return known[i].node
	}
	return nil
}

// put records that p leads to nodes in item i.
func (ps *places) put(p path, i int, nodes []*yaml.Node) {
	known := ps.byPath[p.text]
	if known == nil {
		if len(ps.shapes) > ps.left || !p.isPlain() || len(nodes) != 1 {
			return
		}
		ps.left -= len(ps.shapes)
		known = make([]place, len(ps.shapes))
		ps.byPath[p.text] = known
	}
	known[i] = place{nodes[0], ps.shapes[i]}
}
