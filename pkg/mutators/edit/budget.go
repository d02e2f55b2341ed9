package edit

import (
	"errors"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Budget is how many bytes a run may still put into objects. A text of a megabyte in a hundred thousand fields is larger
// than memory.
type Budget int

// NewBudget is the size of the largest file.
func NewBudget() Budget { return Budget(krm.DefaultLimits.Bytes) }

// Spend takes n bytes, and fails when fewer are left.
func (b *Budget) Spend(n int) error {
	if *b -= Budget(n); *b < 0 {
		return errOverspent
	}
	return nil
}

// Fits fails when pieces together, which may share memory, are more than is left.
func (b *Budget) Fits(pieces ...string) error {
	left := *b
	for _, p := range pieces {
		if err := left.Spend(len(p)); err != nil {
			return err
		}
	}
	return nil
}

// Shared is a Budget for objects that are edited concurrently (Each). Whether they exceed it does not depend on their order.
type Shared struct{ taken atomic.Int64 }

// Spend takes n bytes, and fails when fewer are left.
func (s *Shared) Spend(n int) error {
	if s.taken.Add(int64(n)) > sharedBytes {
		return errSharedOut
	}
	return nil
}

// sharedBytes is more than a Budget: labels are set on every object of many files.
const sharedBytes = 1 << 30

var (
	errOverspent = errors.New("all values that are put into objects are together larger than a file may be")
	errSharedOut = errors.New("all values that are put into objects are together larger than 1 GB")
)
