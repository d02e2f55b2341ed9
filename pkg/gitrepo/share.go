package gitrepo

import (
	"runtime"
	"sync/atomic"
)

// inViews is how many bytes the objects take that all views of this process hold.
var inViews atomic.Int64

// share is what one view holds of these.
type share struct{ bytes atomic.Int64 }

// newShare is that of a view, and is given back when nothing uses the view any more.
func newShare(r *Repo) *share {
	s := &share{}
	runtime.AddCleanup(r, (*share).end, s)
	return s
}

func (s *share) add(n int64) {
	s.bytes.Add(n)
	inViews.Add(n)
}

func (s *share) end() { inViews.Add(-s.bytes.Load()) }

// fits reports whether there is room for a large pack beside what views hold. Views that are no longer used are given
// back first.
func (p *packReader) fits() error {
	if p.total+inViews.Load() <= p.bounds.Views {
		return nil
	}
	if !p.collected {
		p.collected = true
		runtime.GC()
	}
	if p.total+inViews.Load() <= p.bounds.Views {
		return nil
	}
	return &BoundsError{What: "bytes in the objects of all repositories that are open", Limit: p.bounds.Views, Shared: true}
}
