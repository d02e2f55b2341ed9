package porchstore

import "github.com/waybill-dev/waybill/pkg/api/porch"

// mark has the next Refresh read revisions again, or everything.
func (s *Store) mark(whole bool, names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole = s.whole || whole
	for _, name := range names {
		s.dirty[name] = true
	}
}

// Expire has the next Refresh read everything.
func (s *Store) Expire() { s.mark(true) }

// Observe is told of an object that changed, or was deleted. It reports whether that is news: then the next Refresh reads it.
func (s *Store) Observe(o *porch.PackageRevision, deleted bool) bool {
	s.mu.Lock()
	if _, writing := s.busy[o.Name]; writing {
		lost := !deleted && isBare(o)
		s.busy[o.Name] = s.busy[o.Name] || lost
		s.mu.Unlock()
		return lost
	}
	i := s.items[o.Name]
	news := i == nil != deleted
	if i != nil && !deleted {
		now := s.revisionOf(o)
		news = now.Target != i.rev.Target || now.Lifecycle != i.rev.Lifecycle || now.Owner != i.rev.Owner
	}
	s.mu.Unlock()
	if news {
		s.mark(false, o.Name)
	}
	return news
}

// Outdated reports whether a Refresh has something to read.
func (s *Store) Outdated() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole || len(s.dirty) > 0
}

// begin says that this Store writes a revision, until done is called. What Porch showed without metadata meanwhile is read again.
func (s *Store) begin(name string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[name] = false
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.busy[name] {
			s.dirty[name] = true
		}
		delete(s.busy, name)
	}
}
