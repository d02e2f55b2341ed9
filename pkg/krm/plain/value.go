package plain

import "bytes"

// value reads the value at the beginning of text, and what follows it in the line.
func (s *Scanner) value(text []byte) bool {
	n := 0
	s.ValueStart = s.End - 1 - len(text)
	switch text[0] {
	case '"':
		s.Kind, n = Double, doubleLength(text)
	case '\'':
		s.Kind, n = Single, singleLength(text)
	case '{', '[':
		if s.Kind = Empty; len(text) > 1 && (string(text[:2]) == "{}" || string(text[:2]) == "[]") {
			n = 2
		}
	case '|', '>':
		s.Kind = Block
		return s.block(text)
	default:
		s.Kind, n = Word, wordLength(text)
	}
	s.Value = text[:n]
	return s.behindValue(text[n:], n > 0)
}

// behindValue reads what follows a value: nothing, or a comment behind a blank.
func (s *Scanner) behindValue(text []byte, ok bool) bool {
	if !ok || len(text) == 0 {
		return ok
	}
	comment := skipBlanks(text)
	if len(comment) > 0 {
		s.Comment = comment
		return comment[0] == '#' && (len(comment) < len(text) || s.Kind == Below)
	}
	return true
}

// doubleLength is the length of the scalar in double quotes that text begins with; 0 if it is not certain.
func doubleLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			if i++; i == len(text) || bytes.IndexByte([]byte(`"\ntr0`), text[i]) < 0 {
				return 0
			}
		}
	}
	return 0
}

// singleLength is doubleLength for single quotes, which are doubled within the scalar.
func singleLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i++; i == len(text) || text[i] != '\'' {
			return i
		}
	}
	return 0
}

// wordLength is the length of the scalar without quotes that text begins with; 0 if none ends in this line for certain.
func wordLength(text []byte) int {
	if !isWord[text[0]] || text[0] == '-' && (len(text) == 1 || text[1] == ' ') {
		return 0
	}
	n := len(text)
	if blank := bytes.IndexByte(text, ' '); blank >= 0 {
		if i := bytes.Index(text[blank:], []byte(" #")); i >= 0 {
			n = blank + i
		}
		if bytes.Contains(text[:n], []byte(": ")) {
			return 0
		}
		n = len(bytes.TrimRight(text[:n], " "))
	}
	if text[n-1] == ':' {
		return 0
	}
	return n
}

// block reads the lines of a block scalar. All are indented as the first one or more, and none before it is empty.
func (s *Scanner) block(header []byte) bool {
	if len(header) > 2 || len(header) == 2 && header[1] != '-' && header[1] != '+' {
		return false
	}
	first := -1
	for s.End < len(s.text) {
		end := s.End
		switch indent, rest := s.take(); {
		case first < 0 && (len(rest) == 0 || rest[0] == '\t' || indent <= s.open[len(s.open)-1].column):
			return false
		case first < 0:
			first = indent
		case len(rest) > 0 && indent < first:
			s.End, s.Value = end, s.text[s.ValueStart:end]
			return rest[0] != '#'
		}
	}
	s.Value = s.text[s.ValueStart:]
	return first >= 0
}
