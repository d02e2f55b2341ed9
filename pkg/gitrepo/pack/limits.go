package pack

import (
	"context"
	"runtime"
)

// charge counts an object of size bytes before it is unpacked.
func (p *reader) charge(size int64) error {
	if size > p.bounds.Object {
		return &BoundsError{What: "bytes in one object", Limit: p.bounds.Object}
	}
	if p.work += size; p.work > p.bounds.Work {
		return &BoundsError{What: "bytes to be unpacked of a pack", Limit: p.bounds.Work}
	}
	if p.ctx.Err() != nil { // reads from the server, which also check it, may be rare
		return &wireError{context.Cause(p.ctx)}
	}
	return nil
}

// count counts an object with size bytes in memory.
func (p *reader) count(size int64) error {
	if p.total += size + overhead; p.total > p.bounds.Total {
		return p.totalError()
	}
	const small = 64 // so many small packs take no more than one large one
	if p.total <= p.bounds.Total/small {
		return nil
	}
	if err := p.lockLarge(); err != nil {
		return err
	}
	return p.checkViews()
}

// largeLock is held for a pack that takes more than a small part of the bound or contains large deltas: there
// is memory for one such pack at a time.
var largeLock = make(chan struct{}, 1)

func (p *reader) lockLarge() error {
	if p.hasLock {
		return nil
	}
	defer p.pause()()
	select {
	case largeLock <- struct{}{}:
		p.hasLock = true
		return nil
	case <-p.ctx.Done():
		return &wireError{context.Cause(p.ctx)}
	}
}

func (p *reader) unlockLarge() {
	if p.hasLock {
		<-largeLock
	}
}

func (p *reader) totalError() error {
	return &BoundsError{What: "bytes in all objects of a pack", Limit: p.bounds.Total}
}

// checkViews returns an error if there is no memory for a large pack beside all Holdings. It runs the garbage
// collector before, to end those with unused owners.
func (p *reader) checkViews() error {
	if p.total+TotalMemory() <= p.bounds.Views {
		return nil
	}
	if !p.collected {
		p.collected = true
		runtime.GC()
	}
	if p.total+TotalMemory() <= p.bounds.Views {
		return nil
	}
	return &BoundsError{What: "bytes in the objects of all open repositories", Limit: p.bounds.Views, Shared: true}
}
