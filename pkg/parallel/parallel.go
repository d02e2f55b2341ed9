// Package parallel runs a loop on all processors.
//
// Shape: a number of rounds and a function of the round; the rounds must not depend on each other.
// Cost: a goroutine for each processor.
// Errors: none of its own.
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
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
