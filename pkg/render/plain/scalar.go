package plain

import "bytes"

// scalar reads a value that begins in this line.
func (s *scanner) scalar(text []byte) bool {
	s.values++
	switch text[0] {
	case '"':
		return isAfterValue(afterDouble(text[1:]))
	case '\'':
		return isAfterValue(afterSingle(text[1:]))
	case '|', '>':
		return s.block(text[1:])
	case '{', '[':
		return isEmpty(text)
	}
	return isPlain(text)
}

// isEmpty reports whether text is an empty flow mapping or sequence.
func isEmpty(text []byte) bool {
	return len(text) >= 2 && (string(text[:2]) == "{}" || string(text[:2]) == "[]") && isAfterValue(text[2:], true)
}

// isAfterValue reports whether rest is empty, or a comment.
func isAfterValue(rest []byte, ok bool) bool {
	comment := bytes.TrimLeft(rest, " ")
	return ok && (len(comment) == 0 || comment[0] == '#' && len(comment) < len(rest))
}

// afterDouble returns what follows the closing quote.
func afterDouble(text []byte) ([]byte, bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return text[i+1:], true
		case '\\':
			if i++; i == len(text) || bytes.IndexByte([]byte(`"\/ntr0`), text[i]) < 0 {
				return nil, false
			}
		}
	}
	return nil, false
}

func afterSingle(text []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(text, '\'')
		if i < 0 {
			return nil, false
		}
		if text = text[i+1:]; len(text) == 0 || text[0] != '\'' {
			return text, true
		}
		text = text[1:]
	}
}

// isPlain reports whether text is a plain scalar that ends in this line.
func isPlain(text []byte) bool {
	if c := text[0]; !isWord(c) || c == '-' && (len(text) == 1 || text[1] == ' ') {
		return false
	}
	word := cutComment(text)
	return !bytes.Contains(word, []byte(": ")) && word[len(word)-1] != ':'
}

// cutComment returns text without a comment and the blanks before it.
func cutComment(text []byte) []byte {
	word, _, _ := bytes.Cut(text, []byte(" #"))
	return bytes.TrimRight(word, " ")
}

// block skips the lines of a block scalar. All are indented as the first one or more, and none before it is empty.
func (s *scanner) block(header []byte) bool {
	if h := string(header); h != "" && h != "-" && h != "+" {
		return false
	}
	first := -1
	for len(s.rest) > 0 {
		before := s.rest
		indent, text := s.next()
		switch {
		case first < 0 && (len(text) == 0 || indent <= s.top().indent):
			return false
		case first < 0:
			first = indent
		case len(text) > 0 && indent < first:
			s.rest = before
			return text[0] != '#'
		}
	}
	return first >= 0
}
