package mapping

import (
	"fmt"
	"sync/atomic"
)

// What expressions may cost, in steps. A step is about one look at one part of an object, some twenty to forty
// nanoseconds.
const (
	// maxSteps is for one call, some 0.3 seconds; maxAllSteps for all calls of a pass, some 20 seconds.
	maxSteps, maxAllSteps = 10_000_000, 600_000_000
	// stepsPerPart is what each part of an answer costs besides, of all there are: it is kept until the pass ends, and
	// takes about a kilobyte until then.
	stepsPerPart = 300
)

var (
	errSteps = publicError{fmt.Errorf("it takes more than %d steps, which is as many as one call may take; "+
		"a step is about one look at one part of an object: use fewer loops within loops, or a function", maxSteps)}
	errAllSteps = publicError{fmt.Errorf("the expressions of this run have taken %d steps together, which is as many as they may; "+
		"a step is about one look at one part of an object: use fewer loops within loops, let parents select fewer inputs, or use a function",
		maxAllSteps)}
)

// budget is what the expressions of a pass have cost. Where there is one request at a time, it ends at the same
// request every time.
type budget struct{ spent atomic.Int64 }

// most is how many steps the next call may take.
func (b *budget) most() int { return int(min(maxSteps, maxAllSteps-b.spent.Load())) }

func (b *budget) spend(steps int) { b.spent.Add(int64(steps)) }

// partsOf counts the parts of plain data.
func partsOf(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, part := range v {
			n += partsOf(part)
		}
	case []any:
		for _, part := range v {
			n += partsOf(part)
		}
	}
	return n
}
