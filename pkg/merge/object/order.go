package object

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// order has the positions of items, by name, in base, theirs, ours and the result.
type order struct {
	items        map[string]*yaml.Node // of theirs
	base, theirs map[string]int
	ours, result map[string]int
}

// reorder sorts the kept items as upstream does, where the order matters: for steps, and in env where a value
// refers to another. Otherwise items stay in the order of ours, and new ones come last; so do they, with a
// conflict, if ours has another order or other items than base.
func (m *Merger) reorder(by *Keying, o, u, l *yaml.Node, kept []*yaml.Node) []*yaml.Node {
	if m.inConflict > 0 || !by.Ordered && !by.hasReferences {
		return kept
	}
	result := &yaml.Node{Kind: yaml.SequenceNode, Content: kept}
	inU, inR := by.ByName(u), by.ByName(result)
	if Equal(by.Shared(u, inR), by.Shared(result, inU)) {
		return kept
	}
	at := order{items: inU, base: by.places(o), theirs: by.places(u), ours: by.places(l), result: by.places(result)}
	if by.Ordered && !at.breaksOrder() || !by.Ordered && !at.breaksReference() {
		return kept
	}
	if maps.Equal(at.base, at.ours) {
		m.Changed = true
		return by.sorted(kept, at.theirs)
	}
	c := Conflict{Field: m.At.String(), Theirs: shortText(by.Shared(u, inR)), Ours: shortText(by.Shared(l, inU))}
	if o != nil {
		c.Base = shortText(by.Shared(o, inU))
	}
	if m.Prefer != Fail {
		c.Chosen, c.Winner = c.Ours, LocalWon
	}
	m.Conflicts = append(m.Conflicts, c)
	return kept
}

// sorted sorts items by position; one without a position stays behind the item before it.
func (k *Keying) sorted(items []*yaml.Node, places map[string]int) []*yaml.Node {
	at, last := make(map[*yaml.Node]int, len(items)), -1
	for _, n := range items {
		if place, ok := places[k.name(n)]; ok {
			last = place
		}
		at[n] = last
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b *yaml.Node) int { return at[a] - at[b] })
	return out
}

// breaksOrder reports whether the result reverses two items that upstream, and not base, has in this order.
func (s *order) breaksOrder() bool {
	var names []string // of both, as upstream puts them
	for name := range s.theirs {
		if _, ok := s.result[name]; ok {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return s.theirs[a] - s.theirs[b] })
	if len(names) > maxSteps {
		return true
	}
	for i, later := range names {
		for _, earlier := range names[:i] {
			if s.result[earlier] > s.result[later] && !s.inBaseOrder(earlier, later) {
				return true
			}
		}
	}
	return false
}

// maxSteps is far above any list of steps; for a longer list any difference counts.
const maxSteps = 1000

var reference = lazyregexp.New(`\$\(([^()]+)\)`)

// breaksReference reports whether an item refers to one that upstream has before it and the result has behind
// it.
func (s *order) breaksReference() bool {
	for name, item := range s.items {
		value := krm.Lookup(item, "value")
		at, ok := s.result[name]
		if value == nil || !ok || !strings.Contains(value.Value, "$(") {
			continue
		}
		for _, m := range reference.FindAllStringSubmatch(value.Value, -1) {
			place, there := s.result[m[1]]
			theirs, wanted := s.theirs[m[1]]
			if there && wanted && place > at && theirs < s.theirs[name] && !s.inBaseOrder(m[1], name) {
				return true
			}
		}
	}
	return false
}

// inBaseOrder reports whether base has first before second, so that ours reversed them.
func (s *order) inBaseOrder(first, second string) bool {
	a, okA := s.base[first]
	b, okB := s.base[second]
	return okA && okB && a < b
}

// places are the positions of the items of a list, by name.
func (k *Keying) places(list *yaml.Node) map[string]int {
	out := map[string]int{}
	if list != nil {
		for i, n := range list.Content {
			out[k.name(n)] = i
		}
	}
	return out
}

// Shared are the names of the items of a list that all others have, too.
func (k *Keying) Shared(list *yaml.Node, others ...map[string]*yaml.Node) *yaml.Node {
	names := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	for _, n := range list.Content {
		name := k.name(n)
		if !slices.ContainsFunc(others, func(in map[string]*yaml.Node) bool { return in[name] == nil }) {
			names.Content = append(names.Content, krm.StringNode(strings.Join(k.Values(n), " ")))
		}
	}
	return names
}
