package lazy

import "bytes"

// IsPlain reports whether text is a mapping in the plainest form of YAML, as functions generate it: one key or item in a line,
// and values that are words, quoted without escapes, or blocks of text. Such text needs no parser to be known as valid: no key stands
// twice in a mapping, and nothing is a comment, an anchor, an alias or a tag. False means that only a parser can say.
func IsPlain(text []byte) bool {
	var s plainScan
	for _, mark := range notInLines {
		if bytes.Contains(text, mark) {
			return false
		}
	}
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return false
		}
		line := text[:end]
		if text = text[end+1:]; s.block > 0 && s.inBlock(line) {
			continue
		}
		if !s.line(line) {
			return false
		}
	}
	return true
}

// notInLines are the other line ends of YAML, and the byte order mark.
var notInLines = [][]byte{[]byte("\r"), []byte("\u0085"), []byte("\u2028"), []byte("\u2029"), []byte("\ufeff")}

// plainScan is a scan of plain text.
type plainScan struct {
	open   []collection // the outermost first; the slices of closed ones are used again
	opens  bool         // a value may begin in the next line: a key or dash stands before it
	block  int          // the least column of a block of text that may go on, plus one; 0 for none
	indent int          // the column of the lines of that block, plus one; 0 before the first one
}

// collection is a mapping or a list, and the column where its keys or dashes stand.
type collection struct {
	column int
	list   bool
	keys   [][]byte
}

// inBlock reports whether line belongs to the current block of text.
func (s *plainScan) inBlock(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	column := len(line) - len(bytes.TrimLeft(line, " "))
	if s.indent == 0 && column+1 >= s.block && column < len(line) && line[column] != '\t' {
		s.indent = column + 1
	}
	if s.indent > 0 && column+1 >= s.indent {
		return true
	}
	s.block = 0
	return false
}

// line reads a line that is in no block of text.
func (s *plainScan) line(line []byte) bool {
	column := len(line) - len(bytes.TrimLeft(line, " "))
	after := false // a dash stands before it in this line
	for {
		rest := line[column:]
		switch key := keyOf(rest); {
		case len(rest) == 0:
			return false
		case key != nil:
			return s.enter(column, false, after) && s.key(key) && s.value(rest[len(key)+1:], column)
		case len(rest) > 2 && rest[0] == '-' && rest[1] == ' ':
			if !s.enter(column, true, after) {
				return false
			}
			column, after = column+2, true
		default:
			return after && s.scalar(rest, s.open[len(s.open)-1].column)
		}
	}
}

// enter makes the collection at that column the current one. after says that a dash stands before it in its line.
func (s *plainScan) enter(column int, list, after bool) bool {
	if opened := s.opens || after; opened {
		s.opens = false
		if last := len(s.open) - 1; after || last < 0 || s.begins(column, list) {
			return s.push(column, list)
		}
	} else if len(s.open) == 0 {
		return column == 0 && !list && s.push(column, list)
	}
	for len(s.open) > 0 {
		last := &s.open[len(s.open)-1]
		if last.column < column || last.column == column && last.list == list {
			return last.column == column
		}
		s.open = s.open[:len(s.open)-1]
	}
	return false
}

// begins reports whether a collection at that column is the value of the key before it.
func (s *plainScan) begins(column int, list bool) bool {
	last := s.open[len(s.open)-1]
	return column > last.column || list && !last.list && column == last.column
}

func (s *plainScan) push(column int, list bool) bool {
	if len(s.open) < cap(s.open) {
		s.open = s.open[:len(s.open)+1]
	} else {
		s.open = append(s.open, collection{})
	}
	c := &s.open[len(s.open)-1]
	c.column, c.list, c.keys = column, list, c.keys[:0]
	return true
}

// mostKeys bounds the keys of a mapping, which are compared one by one.
const mostKeys = 200

// key adds a key to the current mapping, unless it has that key.
func (s *plainScan) key(key []byte) bool {
	c := &s.open[len(s.open)-1]
	for _, k := range c.keys {
		if bytes.Equal(k, key) {
			return false
		}
	}
	c.keys = append(c.keys, key)
	return len(c.keys) <= mostKeys
}

// value reads what stands behind the colon of a key at that column.
func (s *plainScan) value(text []byte, column int) bool {
	if len(text) == 0 {
		s.opens = true
		return true
	}
	return text[0] == ' ' && s.scalar(text[1:], column)
}

// scalar reads a value, below a key or dash at that column.
func (s *plainScan) scalar(text []byte, column int) bool {
	if len(text) == 0 {
		return false
	}
	last := len(text) - 1
	switch text[0] {
	case '|', '>':
		if last > 1 || last == 1 && text[1] != '-' && text[1] != '+' {
			return false
		}
		s.block, s.indent = column+2, 0
		return true
	case '"':
		return last > 0 && text[last] == '"' && isQuoted(text[1:last], '\\', '"')
	case '\'':
		return last > 0 && text[last] == '\'' && isQuoted(text[1:last], '\'', '\'')
	case '{':
		return string(text) == "{}"
	case '[':
		return string(text) == "[]"
	}
	return isPlainText(text)
}
