package krm

import (
	"unique"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Scratch is memory for short-lived copies of objects: each copy replaces the one before. The zero
// Scratch is ready for use, by one goroutine at a time.
type Scratch struct {
	nodes pages[yaml.Node]
	lists pages[*yaml.Node]
}

// Copy is DeepCopy into s: the copy and its nodes last until the next call.
func (s *Scratch) Copy(o *Object) *Object {
	s.nodes.reset()
	s.lists.reset()
	c := *o
	c.copied, c.rest, c.known = true, nil, nil
	c.doc = (&copier{alloc: s}).copy(o.document())
	return &c
}

func (s *Scratch) node() *yaml.Node { return &s.nodes.take(1)[0] }

func (s *Scratch) list(length int) []*yaml.Node { return s.lists.take(length) }

// pages are allocated from piece by piece, and again after a reset.
type pages[T any] struct {
	all  [][]T
	page int // the current one
	used int // of it
}

const pageLength = 512

// take returns n unused Ts with undefined contents. Appending to them copies them elsewhere.
func (p *pages[T]) take(n int) []T {
	for p.page < len(p.all) {
		if page := p.all[p.page]; p.used+n <= len(page) {
			p.used += n
			return page[p.used-n : p.used : p.used]
		}
		p.page, p.used = p.page+1, 0
	}
	p.all = append(p.all, make([]T, max(n, pageLength)))
	p.used = n
	return p.all[p.page][:n:n]
}

// reset makes all memory free again. It frees pages beyond the first few, so that one huge object does not
// keep its memory.
func (p *pages[T]) reset() {
	const kept = 8
	for i := kept; i < len(p.all); i++ {
		p.all[i] = nil
	}
	p.all, p.page, p.used = p.all[:min(len(p.all), kept)], 0, 0
}

// Compact moves the nodes of o, which the caller owns, next to each other, and shares the texts of field names with other objects.
// Reading a field of each of many objects is then several times faster. It does not use or move a deferred field. From then on only
// methods of o may change its type and metadata.
func (o *Object) Compact() {
	all := countNodes(o.doc)
	o.doc = (&copier{alloc: &block{make([]yaml.Node, all), make([]*yaml.Node, all)}}).copy(o.doc)
	for _, n := range o.doc.Content {
		shareTexts(n, true)
	}
	o.identify()
}

func countNodes(n *yaml.Node) int {
	all := 1
	for _, c := range n.Content {
		all += countNodes(c)
	}
	return all
}

// shareTexts makes equal names of fields one text in memory, and those of the type of an object, which are its outermost values.
func shareTexts(n *yaml.Node, outermost bool) {
	for key, value := range Fields(n) {
		key.Value = unique.Make(key.Value).Value()
		if outermost && value.Kind == yaml.ScalarNode {
			value.Value = unique.Make(value.Value).Value()
		}
		shareTexts(value, false)
	}
}

// block is memory for a known number of nodes.
type block struct {
	nodes []yaml.Node
	lists []*yaml.Node
}

func (b *block) node() *yaml.Node {
	n := &b.nodes[0]
	b.nodes = b.nodes[1:]
	return n
}

func (b *block) list(length int) []*yaml.Node {
	l := b.lists[:length:length]
	b.lists = b.lists[length:]
	return l
}
