// Package parallel runs functions on all processors.
//
// Shape: functions that do not depend on each other: the rounds of a loop, or those of a Group.
// Cost: a goroutine for each processor, or for each function of a Group.
// Errors: none of its own. A panic of a function becomes one of the caller, who can recover it.
// Source: ours.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls do with 0 to n-1, on all processors, and returns when all calls have returned.
func For(n int, do func(int)) {
	var next atomic.Int64
	var all Group
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// Group is a sync.WaitGroup whose Wait panics if a function did.
type Group struct {
	wg    sync.WaitGroup
	once  sync.Once
	panic any // the first one
}

// Go calls do in a goroutine.
func (g *Group) Go(do func()) {
	g.wg.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				g.once.Do(func() { g.panic = p })
			}
		}()
		do()
	})
}

// Wait returns when all functions have returned.
func (g *Group) Wait() {
	g.wg.Wait()
	if g.panic != nil {
		panic(g.panic)
	}
}
