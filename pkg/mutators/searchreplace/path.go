package searchreplace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// path is a pattern of places in an object: a.b[0].c, where * is any step, ** any number of steps,
// and [*] any item.
type path []step

// step is one step of a path.
type step struct {
	many    bool     // **
	any     bool     // *
	name    string   // of the field; * is any
	indices []string // of the items behind the name; * is any
}

// mostSteps is what fits into a state.
const mostSteps = 60

func parsePath(text string) (p path, err error) {
	for _, s := range strings.Split(text, ".") {
		name, rest, _ := strings.Cut(s, "[")
		t := step{many: s == "**", any: s == "*", name: name}
		if rest != "" {
			t.indices = strings.Split(strings.TrimSuffix(rest, "]"), "][")
		}
		if s == "" || len(name)+len(rest) < len(s) && !strings.HasSuffix(s, "]") || slices.Contains(t.indices, "") {
			return nil, fmt.Errorf("step %q: want a field, field[0], field[*], * or **", s)
		}
		p = append(p, t)
	}
	if len(p) > mostSteps {
		return nil, fmt.Errorf("has %d steps, more than the %d allowed", len(p), mostSteps)
	}
	return p, nil
}

// isPlain reports whether p is the full path of one field.
func (p path) isPlain() bool {
	for _, s := range p {
		if s.many || s.indices != nil || strings.Contains(s.name, "*") {
			return false
		}
	}
	return len(p) > 0
}

// place is the position of a walk in an object: what p has matched so far, and the last step, which is
// not complete before the next one begins.
type place struct {
	state   uint64 // bit i: the first i steps of p match what comes before the last step
	name    string // the last step; at the root there is none
	indices []int
	root    bool
}

func (p path) start() place { return place{state: p.skip(1), root: true} }

// field is the place of a field below at. A name with dots is several steps, as in the pattern.
func (p path) field(at place, name string) place {
	for part := range strings.SplitSeq(name, ".") {
		at = place{state: p.next(at), name: part}
	}
	return at
}

// item is the place of an item below at.
func (p path) item(at place, i int) place {
	at.indices = append(slices.Clip(at.indices), i)
	return at
}

// matches reports whether p matches the place at.
func (p path) matches(at place) bool { return p.next(at)>>len(p)&1 == 1 }

// next is the state behind the last step of at.
func (p path) next(at place) (state uint64) {
	if at.root {
		return at.state
	}
	for i, s := range p {
		switch {
		case at.state>>i&1 == 0:
		case s.many:
			state |= 1 << i
		case s.matches(at):
			state |= 1 << (i + 1)
		}
	}
	return p.skip(state)
}

// skip adds what follows from ** matching no step at all.
func (p path) skip(state uint64) uint64 {
	for i, s := range p {
		if s.many && state>>i&1 == 1 {
			state |= 1 << (i + 1)
		}
	}
	return state
}

func (s step) matches(at place) bool {
	if s.any {
		return true
	}
	if s.name != at.name && s.name != "*" || len(s.indices) > len(at.indices) || len(at.indices) > 0 && len(s.indices) == 0 {
		return false
	}
	for i, index := range s.indices {
		if index != "*" && index != strconv.Itoa(at.indices[i]) {
			return false
		}
	}
	return true
}
