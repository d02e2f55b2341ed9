package plain

import "bytes"

// Bounds of what is recognized. They are within those of krm.Limits.
const (
	maxText      = 1 << 20
	maxDepth     = 30
	maxKey       = 100
	maxKeys      = 64 // in one mapping, as keys are compared with each other
	maxDocuments = 1000
	maxValues    = 50_000
)

// Resources reports whether text holds one KRM resource or several, and nothing else, and about how many values they hold.
func Resources(text []byte) (values int, ok bool) {
	if len(text) == 0 || len(text) > maxText || text[len(text)-1] != '\n' || !isPrintable(text) {
		return 0, false
	}
	s := &scanner{rest: text}
	for len(s.rest) > 0 {
		if !s.line() || s.values > maxValues || s.documents > maxDocuments {
			return 0, false
		}
	}
	return s.values, s.end()
}

func isPrintable(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

// level is an open mapping or sequence.
type level struct {
	indent   int
	sequence bool
	keys     [][]byte
}

type scanner struct {
	rest      []byte
	levels    []level
	waiting   bool // the last key has no value yet
	values    int
	documents int
	fields    // of the document
}

// fields are those that a resource must have.
type fields struct{ apiVersion, kind, name bool }

func (f fields) complete() bool { return f.apiVersion && f.kind && f.name }

// next takes a line, and returns its indentation and its text.
func (s *scanner) next() (indent int, text []byte) {
	line, rest, _ := bytes.Cut(s.rest, []byte{'\n'})
	s.rest = rest
	text = bytes.TrimLeft(line, " ")
	return len(line) - len(text), text
}

func (s *scanner) line() bool {
	indent, text := s.next()
	switch {
	case len(text) == 0 || text[0] == '#':
		return true
	case indent == 0 && bytes.HasPrefix(text, []byte("---")):
		return string(text) == "---" && (s.begin() || s.end())
	}
	return s.open(indent, isItem(text)) && s.entry(indent, text)
}

// begin reports whether a line between documents is the first line.
func (s *scanner) begin() bool {
	first := s.documents == 0 && len(s.levels) == 0
	if first {
		s.documents++
	}
	return first
}

// end ends a document.
func (s *scanner) end() bool {
	ok := len(s.levels) > 0 && !s.waiting && s.complete()
	s.levels, s.fields = s.levels[:0], fields{}
	s.documents++
	s.values++
	return ok
}

func isItem(text []byte) bool { return len(text) > 1 && text[0] == '-' && text[1] == ' ' }

// open makes the level of the line the last one.
func (s *scanner) open(indent int, item bool) bool {
	if s.waiting || len(s.levels) == 0 {
		above := -1
		if len(s.levels) > 0 {
			above = s.top().indent
		} else if indent > 0 || item {
			return false
		}
		s.waiting = false
		return (indent > above || item && indent == above) && s.push(indent, item)
	}
	for len(s.levels) > 0 && (s.top().indent > indent || s.top().indent == indent && s.top().sequence && !item) {
		s.levels = s.levels[:len(s.levels)-1]
	}
	return len(s.levels) > 0 && s.top().indent == indent && s.top().sequence == item
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

func (s *scanner) push(indent int, sequence bool) bool {
	s.levels = append(s.levels, level{indent: indent, sequence: sequence})
	s.values++
	return len(s.levels) <= maxDepth
}

// entry reads a key with its value, or an item.
func (s *scanner) entry(indent int, text []byte) bool {
	for isItem(text) {
		value := bytes.TrimLeft(text[1:], " ")
		indent += len(text) - len(value)
		if text = value; len(text) == 0 {
			return false
		}
		key, _, ok := cutKey(text)
		switch {
		case isItem(text) || ok && key != nil:
			if !s.push(indent, isItem(text)) {
				return false
			}
		default:
			return s.scalar(text)
		}
	}
	key, value, ok := cutKey(text)
	return ok && s.key(key) && s.value(key, value)
}

// cutKey returns the key that text begins with, and what follows it; false for anything else.
func cutKey(text []byte) (key, value []byte, ok bool) {
	i := 0
	for i < len(text) && isWord(text[i]) {
		i++
	}
	if i == 0 || i > maxKey || !isLetter(text[0]) || i == len(text) || text[i] != ':' || isNull(text[:i]) {
		return nil, nil, false
	}
	if value = text[i+1:]; len(value) > 0 && value[0] != ' ' {
		return nil, nil, false
	}
	return text[:i], bytes.TrimLeft(value, " "), true
}

func (s *scanner) key(key []byte) bool {
	in := s.top()
	for _, other := range in.keys {
		if bytes.Equal(key, other) {
			return false
		}
	}
	in.keys = append(in.keys, key)
	s.values++
	return len(in.keys) <= maxKeys
}

func (s *scanner) value(key, value []byte) bool {
	if len(value) == 0 || value[0] == '#' {
		s.waiting = true
		return true
	}
	if len(s.levels) <= 2 {
		s.note(key, value)
	}
	return s.scalar(value)
}

// note notes the fields of a resource.
func (s *scanner) note(key, value []byte) {
	if !isName(cutComment(value)) {
		return
	}
	switch root := s.levels[0].keys; {
	case len(s.levels) == 1 && string(key) == "apiVersion":
		s.apiVersion = true
	case len(s.levels) == 1 && string(key) == "kind":
		s.kind = true
	case len(s.levels) == 2 && string(key) == "name" && !s.top().sequence && string(root[len(root)-1]) == "metadata":
		s.name = true
	}
}

// isName reports whether a plain scalar is text that is not empty.
func isName(word []byte) bool {
	for _, c := range word {
		if !isWord(c) {
			return false
		}
	}
	return len(word) > 0 && isLetter(word[0]) && !isNull(word)
}

func isNull(word []byte) bool {
	return string(word) == "null" || string(word) == "Null" || string(word) == "NULL"
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isWord(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '.' || c == '/' || c == '_' || c == '-'
}
