package cel

import (
	"errors"
	"fmt"
)

// What an expression may cost. A unit of cost is about twenty nanoseconds of work.
const (
	// MaxLength is the longest expression, in characters, and maxDepth how deep expressions may nest; a
	// chain of additions nests, too.
	MaxLength, maxDepth = 10240, 250
	// MaxTyping bounds what the checker may do for one expression. A unit takes it two hundred nanoseconds
	// and a hundred bytes, so this is some 40 ms and 20 MB: room for three hundred comparisons, for
	// eight loops each of which doubles the type of the one before, or for eighty lists in each other.
	MaxTyping = 200_000
	// MaxCost bounds what loops and large values may cost in one evaluation, some two milliseconds, unless
	// Options allow more.
	MaxCost = 100_000
	// perUnit is how many bytes of text one unit of cost pays for, and freeText how long a text may be
	// that is not charged for.
	perUnit, freeText = 32, 256
	// perMatch is how many states times bytes of a regular expression one unit pays for.
	perMatch = 4
	// partCost is what it costs to look at a part of a list or a map, compareCost to compare it, keyCost
	// to put a key in order, and loopCost to begin a loop.
	partCost, compareCost, keyCost, loopCost = 1, 2, 5, 8
	// zoneCost is what it costs to find a time zone by its name: files may be looked for.
	zoneCost = 500
	// maxText is the longest text that an expression may put together, in bytes, and maxParts the longest
	// list.
	maxText, maxParts = 64 << 10, 10_000
	// maxPattern is the longest regular expression in bytes, and maxStates its size when repetitions
	// are written out.
	maxPattern, maxStates = 1024, 5_000
)

var (
	// ErrCost is why an evaluation was ended that cost too much.
	ErrCost = errors.New("the expression costs too much: it goes through too many parts, or compares or searches too large ones")
	// ErrTypes is why an expression is not looked at further that is short enough and yet too much.
	ErrTypes = errors.New("the expression is too much to check: nest lists, maps and loops less deeply, use fewer comparisons and look-ups, " +
		"or put dyn() around what is nested")
	// ErrTooLong is why a text was not made.
	ErrTooLong = fmt.Errorf("the expression makes a text of more than %d bytes", maxText)
	errTooMany = fmt.Errorf("the expression makes a list of more than %d parts", maxParts)
)
