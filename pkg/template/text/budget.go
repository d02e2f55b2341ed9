package text

import (
	"context"
	"fmt"
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Allowance is what templates and patterns may still do together. Only one goroutine may use it.
type Allowance struct{ Steps int }

// NewAllowance holds MaxSteps, the bound of one template.
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

// budget is one run of a template: what it may still do, and what it found.
type budget struct {
	ctx      context.Context
	left     *Allowance
	since    int             // steps since ctx was checked
	depth    int             // of templates that call each other
	missing  bool            // a missing value was written
	messages map[string]bool // that errors of fail may show
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

// spendText draws what going through so many bytes takes.
func (b *budget) spendText(bytes int) error { return b.spend(bytes / bytesPerStep) }

// enter stands at the beginning of each template.
func (b *budget) enter(steps int) (string, error) {
	if b.depth++; b.depth > maxCalls {
		return "", template.Refuse("templates call each other deeper than %d levels", maxCalls)
	}
	return "", b.spend(steps)
}

// over stands behind what a loop goes through.
func (b *budget) over(v any) (any, error) {
	if a, is := v.(Accessor); is {
		v = a.Plain()
	}
	return v, b.spend(3 * partsOf(v)) // the keys of a map are sorted
}

// partsOf is how many parts a list or a map has itself.
func partsOf(v any) int {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice, reflect.Map:
		return r.Len()
	}
	return 1
}

// print stands behind whatever is written.
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

// What a template may be and do. A step is about fifty nanoseconds of work.
const (
	// MaxSteps is what an Allowance holds.
	MaxSteps = 500_000
	// maxSource is how long a template may be, in characters, and maxDeclared in how many places it may declare
	// variables: each use of one looks at all of them.
	maxSource, maxDeclared = 10_240, 200
	// maxText is how long a text may be that a template or a function gives, in bytes. Lists and maps of what
	// functions are given and give hold no more than maxParts parts, maxValue bytes and maxDepth levels.
	maxText, maxValue, maxParts, maxDepth = 256 << 10, 2 << 20, 50_000, 100
	// maxItems is how many parts a function may make of a text or a number.
	maxItems = 10_000
	// maxCalls is how deep templates may call each other.
	maxCalls = 100
	// bytesPerStep is of how much text one step goes through, callSteps what calling a function takes, roundSteps
	// what a round of a loop takes beside its body.
	bytesPerStep, callSteps, roundSteps = 16, 8, 8
	// stepsPerCheck is after how many steps the context is checked.
	stepsPerCheck = 4096
	// maxTransient is what printf may build before its result is measured, in bytes.
	maxTransient = 4 << 20
	// maxPattern is how long a regular expression may be, in bytes, and maxStates how large with its repetitions
	// written out. matchPerStep is how many states times bytes a step goes through, stepsPerMatch what replacing takes.
	maxPattern, maxStates, matchPerStep, stepsPerMatch = 4096, 5_000, 8, 16
	// maxReplaced is how long a text may be in which a Pattern replaces, and what it becomes, in bytes.
	maxReplaced = 1 << 20
	// maxVersion is how long a semantic version or a constraint on one may be.
	maxVersion = 256
	// maxMessage is how much of a message of fail is shown, in bytes.
	maxMessage = 200
)
