package pack

import (
	"runtime"
	"sync/atomic"
)

// overhead is the approximate memory of an object beside its bytes.
const overhead = 256

// held is the sum of all Holdings of this process, in bytes.
var held atomic.Int64

// Held returns the sum of all Holdings of this process, in bytes.
func Held() int64 { return held.Load() }

// Holding counts the bytes of the objects of one owner in memory, for Bounds.Views.
type Holding struct{ bytes atomic.Int64 }

// NewHolding returns a Holding that ends when the garbage collector frees its owner.
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
