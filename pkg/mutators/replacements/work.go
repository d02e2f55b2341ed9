package replacements

import (
	"context"
	"errors"

	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// work is how much a run may still do: objects and names that are looked at, nodes on the way to
// fields; and how many bytes it may still write. It also ends with its context.
type work struct {
	ctx     context.Context
	left    int
	asked   int // what was left when the context was last asked
	written edit.Budget
}

// mostWork takes seconds.
const mostWork = 40_000_000

var errWritten = errors.New("up to here the replacements put more into objects, all together, than a file may hold")

var errWork = errors.New("up to here the replacements look at more than 40,000,000 names and fields; select fewer objects, " +
	"or split the package")

func newWork(ctx context.Context) *work {
	return &work{ctx: ctx, left: mostWork, asked: mostWork + 1, written: edit.NewBudget()}
}

// spend takes n from what is left.
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
