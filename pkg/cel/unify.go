package cel

import "slices"

// typing does the steps of the library's checker with shapes in place of types, and adds up the cost of
// these steps there. Where it does not know the exact type it uses a larger one.
type typing struct {
	*Env
	left   int
	bound  int // free shapes with a substitute: the checker copies a table of them at each step
	trail  []change
	scope  []variable
	shapes []*shape // of all nodes
}

// change is the previous substitute of a free shape.
type change struct{ free, sub *shape }

func (t *typing) pay(cost int) bool {
	t.left -= cost
	return t.left >= 0
}

// attempt runs a step and undoes its changes if it fails.
func (t *typing) attempt(do func() bool) bool {
	t.pay(1 + t.bound)
	mark := len(t.trail)
	if do() {
		return true
	}
	for _, c := range slices.Backward(t.trail[mark:]) {
		if c.sub == nil {
			t.bound--
		}
		c.free.sub = c.sub
	}
	t.trail = t.trail[:mark]
	return false
}

func (t *typing) assignable(from, to *shape) bool {
	return t.attempt(func() bool { return t.fits(from, to) })
}

func (t *typing) bind(free, sub *shape) {
	t.trail = append(t.trail, change{free, free.sub})
	if free.sub == nil {
		t.bound++
	}
	free.sub = sub
}

// fits reports whether two shapes agree, and sets the substitutes of free ones that this needs.
func (t *typing) fits(a, b *shape) bool {
	switch {
	case !t.pay(1):
		return false
	case a == b:
		return t.pay(a.size / 8)
	case b.free:
		if agree, was := t.stands(b, a); agree || was {
			return agree
		}
	}
	switch {
	case a.free:
		agree, _ := t.stands(a, b)
		return agree
	case a == dynamic || b == dynamic:
		return true
	case a == nothing || b == nothing:
		return !list(a) && !list(b)
	case a.name != b.name || len(a.parts) != len(b.parts):
		return false
	case a.name == typeName:
		return true
	}
	for i := range a.parts {
		if !t.fits(a.parts[i], b.parts[i]) {
			return false
		}
	}
	return true
}

func list(s *shape) bool { return s.name == listName || s.name == mapName }

// stands reports whether another shape may be the substitute of a free one, and whether it had one.
func (t *typing) stands(free, other *shape) (agree, was bool) {
	if free.sub == nil {
		if t.within(free, other) {
			return false, false
		}
		t.bind(free, other)
		return true, false
	}
	if !t.fits(other, free.sub) {
		return false, true
	}
	if wider := t.wider(other, free.sub); !t.within(free, wider) {
		t.bind(free, wider)
	}
	return true, true
}

// within reports whether a free shape is a part of another one.
func (t *typing) within(free, s *shape) bool {
	switch {
	case free == s || !t.pay(1):
		return true
	case !s.open:
		return false
	case s.free:
		return s.sub != nil && t.within(free, s.sub)
	}
	return slices.ContainsFunc(s.parts, func(p *shape) bool { return t.within(free, p) })
}

// wider is the more general one of two shapes.
func (t *typing) wider(a, b *shape) *shape {
	if t.vaguer(a, b) {
		return a
	}
	return b
}

func (t *typing) vaguer(a, b *shape) bool {
	switch {
	case a == b || a == dynamic || a.free || !t.pay(1):
		return true
	case b == dynamic || b.free || a.name != b.name || len(a.parts) != len(b.parts):
		return false
	}
	for i := range a.parts {
		if a.name != typeName && !t.vaguer(a.parts[i], b.parts[i]) {
			return false
		}
	}
	return true
}

// written is a shape in the checker's full form.
func (t *typing) written(s *shape) *shape {
	s = t.now(s)
	t.pay(1 + s.work/2)
	return s
}

// now is a shape with free ones replaced by their substitutes.
func (t *typing) now(s *shape) *shape {
	switch {
	case !s.open || !t.pay(1):
		return s
	case s.free && s.sub == nil:
		return s
	case s.free:
		return t.now(s.sub)
	}
	parts, changed := make([]*shape, len(s.parts)), false
	for i, p := range s.parts {
		parts[i] = t.now(p)
		changed = changed || parts[i] != p
	}
	if !changed {
		return s
	}
	return compound(s.name, parts...)
}

// same reports whether two shapes are written alike.
func (t *typing) same(a, b *shape) bool {
	if a == b || !t.pay(1) {
		return true
	}
	return !a.free && !b.free && a.name == b.name && slices.EqualFunc(a.parts, b.parts, t.same)
}
