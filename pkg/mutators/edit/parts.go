package edit

import (
	"runtime"
	"sync"
)

// smallestPart is how many items are worth a goroutine.
const smallestPart = 16

// inParts calls do with parts of 0 to n, on all processors. A panic in any of them is one of the caller's.
func inParts(n int, do func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/smallestPart))
	panics := make([]any, parts)
	var all sync.WaitGroup
	for p := range parts {
		all.Go(func() {
			defer func() { panics[p] = recover() }()
			do(n*p/parts, n*(p+1)/parts)
		})
	}
	all.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}
