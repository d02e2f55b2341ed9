package krm

import "sigs.k8s.io/kustomize/kyaml/yaml"

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
	c.copied, c.rest = true, nil
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
