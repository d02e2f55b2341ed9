package cel

import (
	"errors"
	"fmt"
)

// The limits of an expression. A unit of cost is about twenty nanoseconds of work.
const (
	// MaxLength is the longest expression, in characters, and maxDepth how deep expressions may nest; a
	// chain of additions nests, too.
	MaxLength, maxDepth = 10240, 250
	// MaxTyping limits the work of the checker for one expression. A unit takes it two hundred nanoseconds
	// and a hundred bytes, so this is about 40 ms and 20 MB: enough for three hundred comparisons, for
	// eight loops each of which doubles the type of the one before, or for eighty nested lists.
	MaxTyping = 200_000
	// MaxCost limits the cost of one evaluation, about two milliseconds, unless Options allow more.
	MaxCost = 100_000
	// perUnit is how many bytes of text one unit of cost pays for, and freeText the longest text that is
	// free.
	perUnit, freeText = 32, 256
	// perMatch is how many states times bytes of a regular expression one unit pays for.
	perMatch = 4
	// partCost is the cost of reading a part of a list or a map, compareCost of comparing it, keyCost of
	// sorting a key, and loopCost of the start of a loop.
	partCost, compareCost, keyCost, loopCost = 1, 2, 5, 8
	// zoneCost is the cost of finding a time zone by its name, which may read files.
	zoneCost = 500
	// maxText is the longest text that an expression may make, in bytes, and maxParts the longest list.
	maxText, maxParts = 64 << 10, 10_000
	// maxPattern is the longest regular expression in bytes, and maxStates its size when repetitions
	// are written out.
	maxPattern, maxStates = 1024, 5_000
)

var (
	// ErrCost ends an evaluation that costs too much.
	ErrCost = errors.New("the expression costs too much: it goes through too many parts, or compares or searches too large ones")
	// ErrTypes refuses an expression that would take the checker too long.
	ErrTypes = errors.New("the expression is too much to check: nest lists, maps and loops less deeply, use fewer comparisons and look-ups, " +
		"or put dyn() around what is nested")
	// ErrTooLong refuses to make a text.
	ErrTooLong = fmt.Errorf("the expression makes a text of more than %d bytes", maxText)
	errTooMany = fmt.Errorf("the expression makes a list of more than %d parts", maxParts)
)
