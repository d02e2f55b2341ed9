package reconciler

import (
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// shared is work that the variants of a pass have in common: they are mostly made of the same few
// upstream revisions.
type shared struct {
	plain  variant.Plain
	parsed krm.Parsed
	mu     sync.Mutex
	marks  map[origin]*marking
}

// origin is where an upstream tree was read.
type origin struct{ repo, directory, commit string }

type marking struct {
	once sync.Once
	tree pkgtree.Tree
	err  error
}

// marked is the upstream tree with merge marks, which every copy gets.
func (s *shared) marked(up source) (pkgtree.Tree, error) {
	s.mu.Lock()
	if s.marks == nil {
		s.marks = map[origin]*marking{}
	}
	m := s.marks[up.from]
	if m == nil {
		m = &marking{}
		s.marks[up.from] = m
	}
	s.mu.Unlock()
	m.once.Do(func() { m.tree, m.err = upstream.MarkCloned(merge.AddMarks(up.tree)) })
	return m.tree, m.err
}
