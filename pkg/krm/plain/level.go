package plain

import "bytes"

// Bounds of what is plain. They are within those of krm.Limits.
const (
	maxDepth = 100
	maxKeys  = 200 // in one mapping with unsorted keys, as those are compared with each other
	maxKey   = 1000
)

// level is an open mapping or list, and the column of its keys or dashes.
type level struct {
	column   int
	list     bool
	keys     [][]byte
	greatest []byte
}

// enter makes the mapping or list at that column the innermost one: it opens it, or closes those within it.
func (s *Scanner) enter(column int, list bool) bool {
	if s.Dashes > 0 || s.begins(column, list) {
		return s.push(column, list)
	}
	for n := len(s.open); n > 0; n-- {
		if l := &s.open[n-1]; l.column < column || l.column == column && l.list == list {
			s.open = s.open[:n]
			return l.column == column
		}
	}
	return false
}

// begins reports whether a mapping or list at that column is the document, or the value of the last key.
func (s *Scanner) begins(column int, list bool) bool {
	if len(s.open) == 0 {
		return column == 0 && !list
	}
	above := &s.open[len(s.open)-1]
	return s.below && (column > above.column || list && column == above.column)
}

func (s *Scanner) push(column int, list bool) bool {
	s.Opens++
	if len(s.open) < cap(s.open) {
		s.open = s.open[:len(s.open)+1]
	} else {
		s.open = append(s.open, level{})
	}
	l := &s.open[len(s.open)-1]
	l.column, l.list, l.keys, l.greatest = column, list, l.keys[:0], nil
	return len(s.open) <= maxDepth
}

// addKey adds the key to its mapping, unless that has it. A key behind all others in the order of names is compared once.
func (s *Scanner) addKey() bool {
	l := &s.open[len(s.open)-1]
	if bytes.Compare(s.Key, l.greatest) > 0 {
		l.keys, l.greatest = append(l.keys, s.Key), s.Key
		return true
	}
	for _, k := range l.keys {
		if bytes.Equal(k, s.Key) {
			return false
		}
	}
	l.keys = append(l.keys, s.Key)
	return len(l.keys) <= maxKeys
}

// Depth is how many mappings and lists the line is in.
func (s *Scanner) Depth() int { return len(s.open) }

// Level returns the column of the mapping or list with that index, the outermost first, and whether it is a list.
func (s *Scanner) Level(i int) (column int, list bool) { return s.open[i].column, s.open[i].list }

// At reports whether the line is the field of the document with that path of keys.
func (s *Scanner) At(path ...string) bool { return len(s.open) == len(path) && s.Within(path...) }

// Within reports whether the line is in the field of the document with that path of keys, or begins it.
func (s *Scanner) Within(path ...string) bool {
	if len(s.open) < len(path) {
		return false
	}
	for i, key := range path {
		if l := &s.open[i]; l.list || string(l.keys[len(l.keys)-1]) != key {
			return false
		}
	}
	return true
}
