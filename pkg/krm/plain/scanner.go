package plain

import "bytes"

// Kind says what a line has as its value, or else what it is.
type Kind uint8

// The kinds of lines. All but the first three are entries of a mapping or list.
const (
	Blank     Kind = iota
	Comment        // and nothing else
	Separator      // between documents
	Below          // the value of the key is in the lines below, or null
	Word           // a scalar without quotes
	Single         // a scalar in single quotes
	Double         // a scalar in double quotes
	Block          // a scalar in this line and those up to End
	Empty          // {} or []
)

// Line is one line, or more with a block scalar. Its texts are as written.
type Line struct {
	Kind
	Start, End int    // in the text
	Column     int    // of the first sign that is no blank
	Dashes     int    // of list items that begin here
	Opens      int    // how many mappings and lists begin here
	Key        []byte // nil if the value is a list item
	Value      []byte
	ValueStart int    // in the text
	Comment    []byte // from its "#"; nil for none
}

// Scanner reads the lines of a text. The current one is embedded.
type Scanner struct {
	Line
	text  []byte
	open  []level // the outermost first; the slices of closed ones are used again
	below bool    // the last entry is a key without a value
	tabs  bool    // the text has some
	odd   bool
}

// New returns a Scanner of text before the first line. It reads whole lines.
func New(text []byte) *Scanner {
	tabs, ok := check(text)
	return &Scanner{text: text, tabs: tabs, odd: !ok || len(text) == 0 || text[len(text)-1] != '\n'}
}

// Next reads the next line. It returns false at the end, and when the text is not plain.
func (s *Scanner) Next() bool {
	if s.odd || s.End == len(s.text) {
		return false
	}
	s.odd = !s.read()
	return !s.odd
}

// Plain reports whether the text is plain, as far as it was read.
func (s *Scanner) Plain() bool { return !s.odd }

// take takes a line off the rest of the text, and returns its indentation and what follows.
func (s *Scanner) take() (indent int, rest []byte) {
	line := s.text[s.End:]
	line = line[:bytes.IndexByte(line, '\n')]
	s.End += len(line) + 1
	rest = skipBlanks(line)
	return len(line) - len(rest), rest
}

func (s *Scanner) read() bool {
	s.Line = Line{Start: s.End, End: s.End}
	column, rest := s.take()
	s.Column = column
	switch {
	case len(rest) == 0:
		return true
	case rest[0] == '#':
		s.Kind, s.Comment = Comment, rest
		return true
	case s.tabs && bytes.IndexByte(rest, '\t') >= 0:
		return false
	case column == 0 && bytes.HasPrefix(rest, separator):
		s.Kind, s.open, s.below = Separator, s.open[:0], false
		return len(rest) == len(separator)
	}
	ok := s.entry(rest)
	s.below = s.Kind == Below
	return ok
}

var separator = []byte("---")

// entry reads the dashes, the key and the value of a line.
func (s *Scanner) entry(rest []byte) bool {
	for column := s.Column; ; {
		if n := keyLength(rest); n > 0 {
			s.Key = rest[:n]
			return s.enter(column, false) && s.addKey() && s.behindKey(rest[n+1:])
		}
		if len(rest) < 2 || rest[0] != '-' || rest[1] != ' ' {
			return s.Dashes > 0 && len(rest) > 0 && s.value(rest)
		}
		if !s.enter(column, true) {
			return false
		}
		s.Dashes++
		item := skipBlanks(rest[1:])
		column += len(rest) - len(item)
		rest = item
	}
}

// behindKey reads what follows the colon of a key: nothing, or blanks first.
func (s *Scanner) behindKey(text []byte) bool {
	if text = skipBlanks(text); len(text) == 0 || text[0] == '#' {
		s.Kind = Below
		return s.behindValue(text, true)
	}
	return s.value(text)
}
