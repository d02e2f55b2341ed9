package pack

import (
	"context"
	"runtime"
)

// charge counts an object of size bytes that is about to be unpacked.
func (p *reader) charge(size int64) error {
	if size > p.bounds.Object {
		return &BoundsError{What: "bytes in one object", Limit: p.bounds.Object}
	}
	if p.work += size; p.work > p.bounds.Work {
		return &BoundsError{What: "bytes to be unpacked of a pack", Limit: p.bounds.Work}
	}
	if p.ctx.Err() != nil { // no byte of the server may be needed for a long time
		return &wireError{context.Cause(p.ctx)}
	}
	return nil
}

// hold counts an object of which size bytes stay in memory.
func (p *reader) hold(size int64) error {
	if p.total += size + overhead; p.total > p.bounds.Total {
		return p.tooMuch()
	}
	const small = 64 // that many small packs together take no more than one large one
	if p.total <= p.bounds.Total/small {
		return nil
	}
	if err := p.enter(); err != nil {
		return err
	}
	return p.fits()
}

// largeTurn holds a token while a pack is read that takes more than a small part of the bound, or that holds large
// deltas: there is memory for one such pack at a time.
var largeTurn = make(chan struct{}, 1)

func (p *reader) enter() error {
	if p.hasTurn {
		return nil
	}
	defer p.pause()()
	select {
	case largeTurn <- struct{}{}:
		p.hasTurn = true
		return nil
	case <-p.ctx.Done():
		return &wireError{context.Cause(p.ctx)}
	}
}

func (p *reader) leave() {
	if p.hasTurn {
		<-largeTurn
	}
}

func (p *reader) tooMuch() error {
	return &BoundsError{What: "bytes in all objects of a pack", Limit: p.bounds.Total}
}

// fits reports whether there is room for a large pack beside what Holdings have. It runs the garbage collector first
// to end those whose owners are no longer used.
func (p *reader) fits() error {
	if p.total+Held() <= p.bounds.Views {
		return nil
	}
	if !p.collected {
		p.collected = true
		runtime.GC()
	}
	if p.total+Held() <= p.bounds.Views {
		return nil
	}
	return &BoundsError{What: "bytes in the objects of all repositories that are open", Limit: p.bounds.Views, Shared: true}
}
