package pack

import (
	"runtime"
	"sync/atomic"
)

// overhead is the approximate memory of an object beside its bytes.
const overhead = 256

// held is the sum of all MemoryUses of this process, in bytes.
var held atomic.Int64

// TotalMemory returns the sum of all MemoryUses of this process, in bytes.
func TotalMemory() int64 { return held.Load() }

// MemoryUse counts the bytes of the objects of one owner in memory, for Bounds.Views.
type MemoryUse struct{ bytes atomic.Int64 }

// NewMemoryUse returns a MemoryUse that ends when the garbage collector frees its owner.
func NewMemoryUse[T any](owner *T) *MemoryUse {
	h := &MemoryUse{}
	runtime.AddCleanup(owner, func(h *MemoryUse) { held.Add(-h.bytes.Load()) }, h)
	return h
}

// Add counts an object.
func (h *MemoryUse) Add(o *Object) {
	n := o.MemorySize() + overhead
	h.bytes.Add(n)
	held.Add(n)
}
