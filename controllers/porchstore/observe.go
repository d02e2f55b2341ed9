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
	defer s.mu.Unlock()
	for _, known := range []*item{s.items[o.Name], s.gone[o.Name]} { // a Refresh may be faster than the event
		if known != nil {
			known.ending = o.Spec.Lifecycle == porch.DeletionProposed
		}
	}
	news := false
	switch i := s.items[o.Name]; {
	case s.busy[o.Name]: // what was written is read again once the repository is quiet
	case deleted:
		news = i != nil && !s.outlives(o.Name, nil)
	case s.outlives(o.Name, o):
	case i == nil:
		news = true
	case s.loses(i, o):
		s.unsettle(o.Name)
		return s.quiet()
	default:
		is := s.revisionOf(o)
		news = is.Target != i.rev.Target || is.Lifecycle != i.rev.Lifecycle || is.Owner != i.rev.Owner
	}
	if news {
		s.dirty[o.Name] = true
	}
	return news
}

// Outdated reports whether a Refresh has something to read.
func (s *Store) Outdated() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	reread := !s.rereadAt.IsZero() && !s.now().Before(s.rereadAt)
	return s.whole || len(s.dirty) > 0 || reread || len(s.unsettled) > 0 && s.quiet()
}

// begin says that this Store writes a revision, until done is called.
func (s *Store) begin(name string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[name] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.busy, name)
	}
}
