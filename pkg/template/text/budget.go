package text

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Allowance is what templates and patterns may still do together. It is for one goroutine; who draws first is served.
type Allowance struct{ Steps int }

// NewAllowance is MaxSteps, which is what one template has.
func NewAllowance() *Allowance { return &Allowance{MaxSteps} }

// Draw takes steps and gives an error once there are none left.
func (a *Allowance) Draw(steps int) error {
	if steps < 0 || steps > a.Steps {
		a.Steps = 0
		return errSteps
	}
	a.Steps -= steps
	return nil
}

var (
	errSteps   = template.Refuse("it takes too much work; use fewer or smaller loops and values")
	errTooLong = template.Refuse("it makes a text of more than %d bytes", maxText)
	errLarge   = template.Refuse("a value has more than %d parts, or %d bytes", maxParts, maxValue)
	errDeep    = template.Refuse("a value nests more than %d levels", maxDepth)
)

// budget is one run of a template: what it may still do, and what was noticed on the way.
type budget struct {
	ctx     context.Context
	left    *Allowance
	since   int             // steps since ctx was looked at
	depth   int             // of templates that call each other
	missing bool            // a missing value was written
	said    map[string]bool // what fail may say
}

func (b *budget) spend(steps int) error {
	if err := b.left.Draw(steps); err != nil {
		return err
	}
	if b.since += steps; b.since < stepsPerLook {
		return nil
	}
	b.since = 0
	return b.ctx.Err()
}

// spendText draws what going through so many bytes takes.
func (b *budget) spendText(bytes int) error { return b.spend(bytes / bytesPerStep) }

// enter and leave stand at the ends of each template.
func (b *budget) enter(steps int) (string, error) {
	if b.depth++; b.depth > maxCalls {
		return "", template.Refuse("templates call each other deeper than %d levels", maxCalls)
	}
	return "", b.spend(steps)
}

func (b *budget) leave() string {
	b.depth--
	return ""
}

// step stands at the beginning of each round of a loop.
func (b *budget) step(steps int) (string, error) { return "", b.spend(steps) }

// over stands behind what a loop goes through.
func (b *budget) over(v any) (any, error) {
	v = plainOf(v)
	return v, b.spend(3 * rangeOf(v)) // the keys of a map are sorted
}

// rangeOf is how many parts a list or a map has itself.
func rangeOf(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	case []string:
		return len(v)
	case []int:
		return len(v)
	case map[string]string:
		return len(v)
	}
	return 1
}

// print stands behind whatever is written.
func (b *budget) print(v any) (string, error) {
	if a, is := v.(Accessor); is {
		return b.text(a.String())
	}
	e, err := b.weigh(v)
	if err != nil {
		return "", err
	}
	if e.missing > 0 {
		b.missing = true
	}
	if v == nil {
		return "", nil
	}
	return b.text(fmt.Sprint(v))
}

// text is a text that was made.
func (b *budget) text(s string) (string, error) {
	if len(s) > maxText {
		return "", errTooLong
	}
	return s, b.spendText(len(s))
}

// output collects what a template writes.
type output struct {
	b    *budget
	text []byte
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if len(o.text)+len(p) > maxText {
		return 0, errTooLong
	}
	o.text = append(o.text, p...)
	return len(p), o.b.spendText(len(p))
}
