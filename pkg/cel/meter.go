package cel

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// meterName is a variable that no expression can name.
const meterName = "@meter"

// Vars are the variables of an expression, with the Meter of its evaluation: a type embeds Meter and
// resolves its own names, and all others by way of Meter.
type Vars interface {
	cel.Activation
	// Spent is what the last evaluation cost.
	Spent() int
	itself() *Meter
}

// Meter holds what an evaluation may still cost. It is for one evaluation at a time.
type Meter struct {
	limit, left int
	exhausted   bool
}

// Spent is what the last evaluation cost.
func (m *Meter) Spent() int { return m.limit - m.left }

// ResolveName implements the library's Activation for what has no other name.
func (m *Meter) ResolveName(name string) (any, bool) { return m, name == meterName }

// Parent implements the library's Activation: there is none.
func (m *Meter) Parent() cel.Activation { return nil }

func (m *Meter) itself() *Meter { return m }

// pay takes cost from m and reports whether there was as much.
func (m *Meter) pay(cost int) bool {
	if m.exhausted || cost > m.left {
		m.exhausted = true
		return false
	}
	m.left -= cost
	return true
}

// payParts pays for looking at all parts of values, so much for each. What was looked at before it turned out to be too
// much is paid for.
func (m *Meter) payParts(each int, values ...ref.Val) bool {
	weight, most := 0, m.left/each
	for _, v := range values {
		weight += weighTo(v, most-weight)
	}
	if m.pay(weight * each) {
		return true
	}
	m.left = 0
	return false
}

// meterOf finds the meter of an evaluation, from within loops, too.
func meterOf(vars interpreter.Activation) *Meter {
	if found, is := vars.ResolveName(meterName); is {
		if m, is := found.(*Meter); is {
			return m
		}
	}
	return &Meter{} // nothing is affordable
}

func pay(vars interpreter.Activation, cost int) bool { return meterOf(vars).pay(cost) }

func payParts(vars interpreter.Activation, each int, values ...ref.Val) bool {
	return meterOf(vars).payParts(each, values...)
}

func costs() ref.Val { return types.WrapErr(ErrCost) }

// named are variables by name.
type named struct {
	Meter
	values map[string]any
}

// NewVars makes Vars of plain data. Names that it lacks are unknown to an evaluation; data must not
// change while it runs.
func NewVars(values map[string]any) Vars { return &named{values: values} }

// ResolveName implements the library's Activation.
func (n *named) ResolveName(name string) (any, bool) {
	if v, is := n.values[name]; is {
		return v, true
	}
	return n.Meter.ResolveName(name)
}
