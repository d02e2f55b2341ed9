package starlark

import (
	"strings"

	star "go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// binaryPrice is the price of x op y.
func binaryPrice(op syntax.Token, x, y star.Value) int {
	switch op {
	case syntax.STAR: // a text or list may be repeated
		return plus(small, max(repeatPrice(x, y), repeatPrice(y, x)))
	case syntax.PERCENT:
		if s, ok := x.(star.String); ok {
			return percentPrice(string(s), y)
		}
	case syntax.IN, syntax.NOT_IN:
		return plus(slot, inPrice(x, y))
	case syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX, syntax.MINUS:
		if _, number := x.(star.Int); !number {
			return plus(table, setsPrice(x, y))
		}
	}
	return plus(small, width(x), width(y))
}

func repeatPrice(x, n star.Value) int {
	count, err := star.AsInt32(n)
	if _, number := x.(star.Int); number || err != nil {
		return plus(width(x), width(n))
	}
	return times(width(x), max(1, count))
}

func inPrice(x, y star.Value) int {
	switch y.(type) {
	case *star.Dict, *star.Set:
		return size(x)
	}
	if y.Type() == "range" { // it computes, and does not iterate
		return width(x)
	}
	return plus(size(x), size(y))
}

// longestFloat is the length of the longest number without an exponent.
const longestFloat = 320

// percentPrice is the price of the longest value in every place.
func percentPrice(s string, y star.Value) int {
	verbs, longest, text := strings.Count(s, "%"), 0, text
	if strings.Contains(s, "%r") || strings.Contains(s, ")r") {
		text = quoted
	}
	switch y := y.(type) {
	case star.Tuple:
		for _, e := range y {
			longest = max(longest, text(e))
		}
	case *star.Dict:
		for _, e := range y.Entries() {
			longest = max(longest, text(e))
		}
		if strings.Count(s, "%(") < verbs { // the whole map may be formatted
			longest = text(y)
		}
	default:
		longest = text(y)
	}
	floats := strings.Count(s, "%f") + strings.Count(s, "%F") + strings.Count(s, ")f") + strings.Count(s, ")F")
	return plus(size(y), times(built, plus(small, len(s), times(verbs, longest), times(floats, longestFloat))))
}

// comparePrice is the highest price of a comparison: the size of the smaller value, unless sets are ordered.
func (m *meter) comparePrice(x, y star.Value) int {
	if a, ok := x.(star.String); ok {
		if b, ok := y.(star.String); ok {
			return 1 + min(len(a), len(b))
		}
	}
	_, a := x.(star.Int)
	_, b := y.(star.Int)
	if a || b { // a float is converted to the size of the other
		return plus(1, width(x), width(y))
	}
	found := smaller(x, y)
	if found.sets {
		return plus(1, size(x), size(y), m.tables.room(x), m.tables.room(y))
	}
	return plus(1, found.total)
}

// assignPrice is the price of x op= y. Lists and maps are extended in place.
func assignPrice(op syntax.Token, x, y star.Value) int {
	switch x.(type) {
	case *star.List:
		if op == syntax.PLUS {
			return plus(small, width(y), times(listed, count(y)))
		}
	case *star.Dict:
		if op == syntax.PIPE {
			return plus(small, size(y), times(entry, count(y)))
		}
	}
	return binaryPrice(op, x, y)
}
