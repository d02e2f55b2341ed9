package starlark

import (
	star "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// unsized is the cost of an element of a sequence without a length: the sequence is iterated to find the price, and creates
// every element each time.
const unsized = 64

// count is how many elements an iteration over v yields; 0 for a value without elements. In a sequence without a length it
// counts no more than a script can pay for.
func count(v star.Value) int {
	if v == nil {
		return 0
	}
	if n := star.Len(v); n >= 0 {
		return n
	}
	n := 0
	for range elements(v) {
		if n > mostWork/unsized {
			return mostWork
		}
		n++
	}
	return n
}

// width is the cost of one iteration over v.
func width(v star.Value) int {
	switch v := v.(type) {
	case nil:
		return 0
	case star.String:
		return len(v)
	case star.Bytes:
		return len(v)
	case star.Int:
		return intSize(v)
	case *star.Function:
		return slot + len(v.Name())
	}
	if star.Len(v) < 0 && star.Iterate(v) != nil {
		return times(unsized, max(1, count(v)))
	}
	return times(slot, max(1, count(v)))
}

// size is the cost of a walk over v and all values in it, each as often as it occurs.
func size(v star.Value) int { return sizeUpTo(mostWork, v).total }

// text is an upper bound for the length of v as text.
func text(v star.Value) int {
	switch v := v.(type) {
	case nil:
		return 0
	case star.String:
		return len(v)
	case star.Int:
		return plus(small, times(24, intSize(v)))
	}
	return quoted(v)
}

// quoted is text with quotes around texts: a byte becomes \x00.
func quoted(v star.Value) int { return plus(small, times(4, size(v))) }

// extent is the result of sizeUpTo.
type extent struct {
	total int
	sets  bool // whether there are sets: to order two of them, all of both is read
}

func sizeUpTo(limit int, v star.Value) extent {
	s := sizer{left: limit}
	s.add(v, 0)
	return extent{limit - s.left, s.sets}
}

// smaller is the extent of the smaller one of x and y. It does not walk over all of the larger one.
func smaller(x, y star.Value) (found extent) {
	for limit := 1 << 10; limit <= mostWork; limit <<= 3 {
		a, b := sizeUpTo(limit, x), sizeUpTo(limit, y)
		if found = a; b.total < a.total {
			found = b
		}
		found.sets = a.sets || b.sets
		if found.total < limit {
			break
		}
	}
	return found
}

// sizer adds sizes until nothing is left: a value that holds others many times may be larger than memory.
type sizer struct {
	left int
	sets bool
}

func (s *sizer) add(v star.Value, depth int) {
	if s.left -= min(s.left, width(v)); s.left == 0 || depth > 1000 {
		s.left = 0
		return
	}
	switch v := v.(type) {
	case star.Tuple: // also arguments, a nil one among them
		for _, e := range v {
			s.add(e, depth+1)
		}
	case *star.List:
		for i := 0; i < v.Len() && s.left > 0; i++ {
			s.add(v.Index(i), depth+1)
		}
	case *star.Dict:
		for k, e := range v.Entries() {
			if s.add(k, depth+1); s.left > 0 {
				s.add(e, depth+1)
			}
			if s.left == 0 {
				break
			}
		}
	case *star.Set:
		s.sets = true
		for e := range v.Elements() {
			if s.add(e, depth+1); s.left == 0 {
				break
			}
		}
	case *starlarkstruct.Struct:
		for name, e := range v.Entries() {
			s.left -= min(s.left, len(name)+slot)
			s.add(e, depth+1)
		}
	}
}

// intSize grows with the square of the length, like operations on large numbers.
func intSize(i star.Int) int {
	if _, fits := i.Int64(); fits {
		return 1
	}
	words := i.BigInt().BitLen()/64 + 1
	return times(words, words)
}
