package text

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Allowance is the remaining budget of several templates and patterns. Only one goroutine may use it.
type Allowance struct{ Steps int }

// NewAllowance holds MaxSteps, the limit of one template.
func NewAllowance() *Allowance { return &Allowance{MaxSteps} }

// Draw takes steps; it is an error when too few are left.
func (a *Allowance) Draw(steps int) error {
	if steps < 0 || steps > a.Steps {
		a.Steps = 0
		return errSteps
	}
	a.Steps -= steps
	return nil
}

// Left is how many steps are left.
func (a *Allowance) Left() int { return a.Steps }

var (
	errSteps   = template.Refuse("it takes too much work; use fewer or smaller loops and values")
	errTooLong = template.TooLong(maxText)
	errLarge   = template.Refuse("a value has more than %d parts, or %d bytes", maxParts, maxValue)
	errDeep    = template.Refuse("a value nests more than %d levels", maxDepth)
)

// budget is the state of one run of a template: its remaining steps and its findings.
type budget struct {
	ctx      context.Context
	left     *Allowance
	since    int             // steps since ctx was checked
	depth    int             // of templates that call each other
	missing  bool            // a missing value was written
	messages map[string]bool // of fail, that errors may show
}

func (b *budget) spend(steps int) error {
	if err := b.left.Draw(steps); err != nil {
		return err
	}
	if b.since += steps; b.since < stepsPerCheck {
		return nil
	}
	b.since = 0
	return b.ctx.Err()
}

// spendText draws the cost of reading so many bytes.
func (b *budget) spendText(bytes int) error { return b.spend(bytes / bytesPerStep) }

// enter is called at the beginning of each template.
func (b *budget) enter(steps int) (string, error) {
	if b.depth++; b.depth > maxCalls {
		return "", template.Refuse("templates call each other deeper than %d levels", maxCalls)
	}
	return "", b.spend(steps)
}

// over is called with the range of each loop.
func (b *budget) over(v any) (any, error) {
	if a, is := v.(Accessor); is {
		v = a.Plain()
	}
	return v, b.spend(3 * template.PartsOf(v)) // the keys of a map are sorted
}

// print is called with each value that is written.
func (b *budget) print(v any) (string, error) {
	if a, is := v.(Accessor); is {
		return b.text(a.String())
	}
	e, err := b.measure(v)
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

// The limits of a template. A step is about fifty nanoseconds of work.
const (
	// MaxSteps is the size of an Allowance.
	MaxSteps = 500_000
	// maxSource is the longest template, in characters, and maxDeclared the number of places in which it may declare
	// variables: each use of one searches all of them.
	maxSource, maxDeclared = 10_240, 200
	// maxText is the longest text of a template or function, in bytes. Arguments and results of functions have at most
	// maxParts parts, maxValue bytes and maxDepth levels.
	maxText, maxValue, maxParts, maxDepth = 256 << 10, 2 << 20, 50_000, 100
	// maxItems is how many parts a function may make of a text or a number.
	maxItems = 10_000
	// maxCalls is how deep templates may call each other.
	maxCalls = 100
	// bytesPerStep is how many bytes of text one step reads, callSteps the cost of calling a function, roundSteps that of
	// a round of a loop without its body.
	bytesPerStep, callSteps, roundSteps = 16, 8, 8
	// stepsPerCheck is how many steps there are between checks of the context.
	stepsPerCheck = 4096
	// maxTransient is the most that printf may build before its result is measured, in bytes.
	maxTransient = template.MaxTransient
	// maxVersion is the longest semantic version or constraint on one.
	maxVersion = 256
	// maxMessage is how much of a message of fail is shown, in bytes.
	maxMessage = 200
)
