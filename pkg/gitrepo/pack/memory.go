package pack

import (
	"runtime"
	"sync/atomic"
)

// overhead is about what an object takes in memory beside its bytes.
const overhead = 256

// held is how many bytes all Holdings of this process have.
var held atomic.Int64

// Held returns how many bytes the objects take that all Holdings of this process have.
func Held() int64 { return held.Load() }

// Holding counts the bytes of objects that an owner keeps in memory, against Bounds.Views.
type Holding struct{ bytes atomic.Int64 }

// NewHolding returns a Holding that ends when the garbage collector finds that nothing uses its owner any more.
func NewHolding[T any](owner *T) *Holding {
	h := &Holding{}
	runtime.AddCleanup(owner, func(h *Holding) { held.Add(-h.bytes.Load()) }, h)
	return h
}

// Add counts an object.
func (h *Holding) Add(o *Object) {
	n := o.Held() + overhead
	h.bytes.Add(n)
	held.Add(n)
}
