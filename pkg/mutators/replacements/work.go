package replacements

import (
	"context"
	"errors"

	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// work is the budget of a run: the objects, names and nodes that it may still read, and the bytes that it
// may still write. It also ends with its context.
type work struct {
	ctx     context.Context
	left    int
	asked   int // what was left at the last check of the context
	written edit.Budget
}

// mostWork is some seconds of work.
const mostWork = 40_000_000

var errWritten = errors.New("up to here, the replacements put more into objects than a file may hold")

var errWork = errors.New("up to here, the replacements look at more than 40,000,000 names and fields; select fewer objects, " +
	"or split the package")

func newWork(ctx context.Context) *work {
	return &work{ctx: ctx, left: mostWork, asked: mostWork + 1, written: edit.NewBudget()}
}

// spend subtracts n from the budget.
func (w *work) spend(n int) error {
	if w.left -= n; w.left < 0 {
		return errWork
	}
	const often = 10_000
	if w.asked-w.left < often {
		return nil
	}
	w.asked = w.left
	return w.ctx.Err()
}
