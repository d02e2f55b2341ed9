package replacements

import "slices"

// mostRemembered limits the memory of selections.
const mostRemembered = 4_000_000

// selected is the items that s selects, in order. They are found again only after a change of names,
// labels or annotations.
func (x *index) selected(s *selection) ([]int, error) {
	if s.version == x.version {
		return s.items, nil
	}
	found, err := x.candidates(s.names)
	for _, n := range s.rejectNames {
		if err == nil {
			err = x.prepare(n)
		}
	}
	if err != nil {
		return nil, err
	}
	var items []int
	for _, i := range found {
		selected, err := x.selects(s, i)
		if err != nil {
			return nil, err
		}
		if selected {
			items = append(items, i)
		}
	}
	if x.remembered += len(items) - len(s.items); x.remembered <= mostRemembered {
		s.items, s.version = items, x.version
		return items, nil
	}
	x.remembered -= len(items)
	s.items, s.version = nil, 0
	return items, nil
}

// candidates are the items that have the rarest part of n; all when n is empty.
func (x *index) candidates(n names) ([]int, error) {
	fewest, part := (*matches)(nil), 0
	for p, pattern := range n {
		if pattern == nil {
			continue
		}
		m, err := x.match(p, pattern)
		if err != nil {
			return nil, err
		}
		if fewest == nil || m.items < fewest.items {
			fewest, part = m, p
		}
	}
	var items []int
	if fewest == nil {
		for i := range x.attributes {
			items = append(items, i)
		}
		return items, x.spend(len(items))
	}
	for _, number := range fewest.numbers {
		items = append(items, x.parts[part].items[number]...)
	}
	slices.Sort(items)
	return items, x.spend(len(items))
}

// selects reports whether s selects item i.
func (x *index) selects(s *selection, i int) (bool, error) {
	if ok, err := x.named(s.names, i); !ok || err != nil {
		return false, err
	}
	f := x.attributes[i]
	if s.meta != nil {
		if err := x.spend(10 + len(f.labels) + len(f.annotations)); err != nil || !s.meta.matches(f) {
			return false, err
		}
	}
	for _, n := range s.rejectNames {
		if ok, err := x.named(n, i); ok || err != nil {
			return false, err
		}
	}
	for _, m := range s.rejectMeta {
		if err := x.spend(10 + len(f.labels) + len(f.annotations)); err != nil || m.matches(f) {
			return false, err
		}
	}
	return true, nil
}

// named reports whether n, after prepare, matches the names of item i.
func (x *index) named(n names, i int) (bool, error) {
	for p, pattern := range n {
		if pattern == nil {
			continue
		}
		if pattern.re == nil {
			if pattern.text != x.attributes[i].parts[p] {
				return false, x.spend(1)
			}
			continue
		}
		if _, ok := slices.BinarySearch(x.parts[p].found[pattern].numbers, x.attributes[i].values[p]); !ok {
			return false, x.spend(1)
		}
	}
	return true, x.spend(1)
}

// prepare finds what the patterns of n match.
func (x *index) prepare(n names) error {
	for p, pattern := range n {
		if pattern == nil {
			continue
		}
		if _, err := x.match(p, pattern); err != nil {
			return err
		}
	}
	return nil
}

// defaultNamespace is that of an object that names none, for the selector of a source.
const defaultNamespace = "default"

// exactly is the items with just these names; an empty part matches any.
func (x *index) exactly(id ID) ([]int, error) {
	best, all := []int(nil), true
	want := id.parts()
	for p, text := range want {
		if text == "" || p == partNamespace {
			continue
		}
		have := []int(nil)
		if n, ok := x.parts[p].numbers[text]; ok {
			have = x.parts[p].items[n]
		}
		if all || len(have) < len(best) {
			best, all = have, false
		}
	}
	if all {
		for i := range x.attributes {
			best = append(best, i)
		}
	}
	var items []int
	for _, i := range best {
		if x.attributes[i].is(want) {
			items = append(items, i)
		}
	}
	return items, x.spend(1 + len(best))
}

func (f *attributes) is(want [parts]string) bool {
	for p, text := range want {
		have := f.parts[p]
		if p == partNamespace && have == "" {
			have = defaultNamespace
		}
		if text != "" && have != text {
			return false
		}
	}
	return true
}
