package engine

import (
	"math"

	"github.com/waybill-dev/waybill/pkg/template"
)

var (
	errSteps = template.Refuse("rendering takes too much work: it would take more than %d steps; "+
		"use fewer or smaller loops and values", maxSteps)
	errMade = template.Refuse("functions and templates make more than %d bytes of text; use fewer or smaller loops and values", maxMade)
	errText = template.TooLong(maxText)
	errDeep = template.Refuse("a value nests more than %d levels, or contains itself; pass only the part that is needed", maxDepth)
)

// budget is what is left of the bounds of one Render. It implements template.Meter.
type budget struct {
	steps int
	made  int   // bytes of text
	calls int   // depth of templates that call each other
	cause error // why nothing more may be drawn; nil: nothing yet
}

func newBudget() budget { return budget{steps: maxSteps, made: maxMade} }

// Draw takes steps; it is an error when too few are left.
func (b *budget) Draw(steps int) error {
	switch {
	case b.cause != nil:
		return b.cause
	case steps < 0 || steps > b.steps:
		b.cause = errSteps
		return errSteps
	}
	b.steps -= steps
	return nil
}

// Left is how many steps are left.
func (b *budget) Left() int { return b.steps }

// MaxText and MaxItems implement template.Meter.
func (b *budget) MaxText() int { return maxText }

func (b *budget) MaxItems() int { return maxItems }

// Weigh is the steps of reading all of v.
func (b *budget) Weigh(v any) int {
	m := meter{steps: maxSteps}
	if m.add(v, 1) != nil {
		return math.MaxInt32
	}
	return maxSteps - m.steps
}

// text draws the cost of a text that was made.
func (b *budget) text(bytes int) error {
	if bytes > maxText {
		return errText
	}
	if b.made -= bytes; b.made < 0 {
		return errMade
	}
	return b.Draw(bytes / bytesPerStep)
}

// enter is called at the beginning of each template, and leave at its end.
func (b *budget) enter(steps int) (string, error) {
	if b.calls++; b.calls > maxCalls {
		return "", template.Refuse("templates call each other more than %d levels deep; end the recursion", maxCalls)
	}
	return "", b.Draw(steps)
}

func (b *budget) leave() string {
	b.calls--
	return ""
}

// step is called at the beginning of each round of a loop.
func (b *budget) step(steps int) (string, error) { return "", b.Draw(steps) }

// over is called with the range of each loop.
func (b *budget) over(v any) (any, error) {
	return v, b.Draw(3 * template.PartsOf(v)) // the keys of a map are sorted
}

// printed is called with each value that is written and may be no text.
func (b *budget) printed(v any) (any, error) {
	if _, is := v.(string); is {
		return v, nil // output draws its cost
	}
	return v, b.read(true, v)
}

// called is called with the result of each method.
func (b *budget) called(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return v, b.text(len(v))
	case []byte:
		return v, b.text(len(v))
	case Files:
		return v, b.Draw(8 * len(v))
	}
	return v, b.read(false, v)
}

// encoded is called with the result of each method that writes YAML.
func (b *budget) encoded(v any) (any, error) {
	if text, is := v.(string); is {
		if err := b.Draw(encodingSteps + len(text)/bytesPerCode); err != nil {
			return nil, err
		}
	}
	return b.called(v)
}

// output collects what a template writes. A fault shows when the next function is called, so that it has a place.
type output struct {
	b    *budget
	text []byte
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	err := o.b.text(len(p))
	if len(o.text)+len(p) > maxText {
		err = errText
	}
	if err != nil {
		o.b.cause = err
		return len(p), nil
	}
	o.text = append(o.text, p...)
	return len(p), nil
}
