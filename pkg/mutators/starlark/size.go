package starlark

import (
	star "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// unsized is what it costs to go over an element of a sequence that does not know its length: it is
// gone over to find the price, and makes every element anew each time.
const unsized = 64

// count is how many elements somebody meets who goes over v; 0 where there is nothing to go over. Of
// a sequence that does not know its length more are not counted than anybody could pay for.
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

// width is what it costs to go over v once.
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

// size is what it costs to go over v and all that is in it, as often as it is in it.
func size(v star.Value) int { return sizeUpTo(mostWork, v).total }

// text is about how long v is as text, at most.
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

// quoted is text where texts are in quotes: a byte is \x00.
func quoted(v star.Value) int { return plus(small, times(4, size(v))) }

// extent is what sizeUpTo finds.
type extent struct {
	total int
	sets  bool // among what was looked at: to order those takes all of both
}

func sizeUpTo(limit int, v star.Value) extent {
	s := sizer{left: limit}
	s.add(v, 0)
	return extent{limit - s.left, s.sets}
}

// smaller is the extent of the smaller one of x and y, found without going over all of the larger.
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

// sizer adds up until nothing is left: values that hold others many times are larger than memory.
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

// intSize grows with the square: what is done to large numbers does, too.
func intSize(i star.Int) int {
	if _, fits := i.Int64(); fits {
		return 1
	}
	words := i.BigInt().BitLen()/64 + 1
	return times(words, words)
}
