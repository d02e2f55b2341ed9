package expression

import "errors"

// What an expression may cost. A unit of cost is about as much work as looking up one variable.
const (
	// maxLength is the longest expression, in characters, and maxDepth how deep expressions may nest; a
	// chain of additions nests, too.
	maxLength, maxDepth = 10240, 250
	// MaxCost bounds what loops and large values may cost in one evaluation: some milliseconds.
	MaxCost = 100_000
	// perUnit is how many bytes of text one unit of cost pays for, and freeText how long a text may be
	// that is not charged for.
	perUnit, freeText = 32, 1024
	// maxText is the longest text that an expression may put together, in bytes, and maxParts the longest
	// list.
	maxText, maxParts = 64 << 10, 10_000
	// maxPattern is the longest regular expression in bytes, and maxStates its size when repetitions
	// are written out.
	maxPattern, maxStates = 1024, 5_000
	// zoneCost is what it costs to find a time zone by its name: files may be looked for.
	zoneCost = 200
	// maxFaults bounds what is told about an expression that is none, and maxMessage what is told
	// about an evaluation, in bytes: some messages quote all there is.
	maxFaults, maxMessage = 8 << 10, 2 << 10
)

// ErrCost is why an evaluation was ended that cost too much.
var ErrCost = errors.New("the expression costs too much: it goes through too many parts, or compares or searches too large ones")

// meter holds what an evaluation may still cost.
type meter struct {
	left      int
	exhausted bool
}

// pay takes cost from m and reports whether there was as much.
func (m *meter) pay(cost int) bool {
	if m.exhausted || cost > m.left {
		m.exhausted = true
		return false
	}
	m.left -= cost
	return true
}
