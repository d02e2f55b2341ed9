package starlark

import (
	"errors"
	"math"
	"slices"

	star "go.starlark.net/starlark"
)

// mostWork is how much work, in bytes and sixteens of bytes for every element, the operations may
// do that are one step to the interpreter, all together.
const mostWork = 256 << 20

// meter is how much of that is left.
type meter struct{ left int }

var errWork = errors.New("the script does too much: its operations take or make more than 256 MB, all together")

func (m *meter) pay(price int) error {
	if price > m.left || price < 0 {
		m.left = 0
		return errWork
	}
	m.left -= price
	return nil
}

// free are builtins whose price does not depend on what they are given.
var free = []string{"len", "type", "bool", "hasattr", "dir", "abs", "chr", "ord", "range", "append", "clear", "popitem"}

// keyed are those that look at what they are given, and not at what they are methods of.
var keyed = []string{"get", "setdefault", "add", "discard", "update"}

// moving are those that move the elements behind another one.
var moving = []string{"pop", "insert"}

// shallow are those that look at elements, but not into them.
var shallow = []string{"list", "tuple", "enumerate", "zip", "reversed", "any", "all", "extend", "keys", "values", "items", "elems"}

// price is what a call of the builtin costs: about what it looks at, or makes at most.
func price(name string, receiver star.Value, args star.Tuple, kwargs []star.Tuple) int {
	all := slices.Clone(args)
	for _, kw := range kwargs {
		all = append(all, kw[1])
	}
	is := func(names []string) bool { return slices.Contains(names, name) }
	switch {
	case is(free):
		return 1
	case is(keyed):
		return size(all)
	case is(moving):
		return plus(max(0, star.Len(receiver)), size(all))
	case is(shallow):
		total := width(receiver)
		for _, a := range all {
			total = plus(total, width(a))
		}
		return total
	case name == "replace" || name == "format" || name == "join":
		return times(size(receiver), plus(1, size(all)))
	case name == "sorted":
		return times(32, size(all)) // comparisons
	}
	return plus(size(receiver), size(all))
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
	}
	return times(16, max(1, star.Len(v)))
}

// size is what it costs to go over v and all that is in it, as often as it is in it.
func size(v star.Value) int { return sizeUpTo(mostWork, v) }

func sizeUpTo(limit int, v star.Value) int {
	s := sizer{left: limit}
	s.add(v, 0)
	return limit - s.left
}

// smaller is the size of the smaller one of x and y, found without going over all of the larger.
func smaller(x, y star.Value) (found int) {
	for limit := 1 << 10; limit <= mostWork; limit <<= 3 {
		if found = min(sizeUpTo(limit, x), sizeUpTo(limit, y)); found < limit {
			break
		}
	}
	return found
}

// sizer adds up until nothing is left: values that hold others many times are larger than memory.
type sizer struct{ left int }

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
		for _, k := range v.Keys() {
			e, _, _ := v.Get(k)
			s.add(k, depth+1)
			s.add(e, depth+1)
		}
	case *star.Set:
		for e := range v.Elements() {
			s.add(e, depth+1)
		}
	}
}

// intSize grows with the square: what is done to large numbers does, too.
func intSize(i star.Int) int {
	words := i.BigInt().BitLen()/64 + 1
	return times(words, words)
}

func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func times(a, b int) int {
	if b != 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
