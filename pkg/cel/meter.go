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
	// Spent is the cost of the last evaluation.
	Spent() int
	itself() *Meter
}

// Meter is the remaining budget of an evaluation. It is for one evaluation at a time.
type Meter struct {
	limit, left int
	exhausted   bool
}

// Spent is the cost of the last evaluation.
func (m *Meter) Spent() int { return m.limit - m.left }

// ResolveName implements the library's Activation for the name of the meter.
func (m *Meter) ResolveName(name string) (any, bool) { return m, name == meterName }

// Parent implements the library's Activation: there is none.
func (m *Meter) Parent() cel.Activation { return nil }

func (m *Meter) itself() *Meter { return m }

// pay subtracts cost from m and reports whether enough was left.
func (m *Meter) pay(cost int) bool {
	if m.exhausted || cost > m.left {
		m.exhausted = true
		return false
	}
	m.left -= cost
	return true
}

// payParts pays for reading all parts of values, so much for each. When there are too many, those that were read are paid
// for.
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
	return &Meter{} // an empty budget
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
