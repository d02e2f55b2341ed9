package edit

import (
	"errors"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Budget is how many bytes a run may still put into objects. A text of a megabyte that goes to a
// hundred thousand places is no more than what a package may hold, and far more than memory does.
type Budget int

// NewBudget is as much as a file may hold.
func NewBudget() Budget { return Budget(krm.DefaultLimits.Bytes) }

// Spend takes n bytes, and fails when they are not left.
func (b *Budget) Spend(n int) error {
	if *b -= Budget(n); *b < 0 {
		return errOverspent
	}
	return nil
}

// Fits fails when pieces, which may be many times the same, are together more than what is left.
func (b *Budget) Fits(pieces ...string) error {
	left := *b
	for _, p := range pieces {
		if err := left.Spend(len(p)); err != nil {
			return err
		}
	}
	return nil
}

// Shared is a Budget from which several objects are edited at once (Each). Whether all that they take
// is more than there is does not depend on who comes first.
type Shared struct{ taken atomic.Int64 }

// Spend takes n bytes, and fails when they are not left.
func (s *Shared) Spend(n int) error {
	if s.taken.Add(int64(n)) > sharedBytes {
		return errSharedOut
	}
	return nil
}

// sharedBytes is more than a Budget: labels go to every object, of which a package has many files full.
const sharedBytes = 1 << 30

var (
	errOverspent = errors.New("the values that are put into objects are more, all together, than a file may hold")
	errSharedOut = errors.New("the values that are put into objects take more than 1 GB, all together")
)
