package lazy

import "bytes"

// class says where a byte may stand in plain text.
type class uint8

const (
	inKey   class = 1 << iota // anywhere in a key
	begins                    // at the beginning of a key or value
	inValue                   // within a value
)

// classes are the classes of all bytes: those with a meaning in YAML have none.
var classes = func() (all [256]class) {
	for c := range 256 {
		switch {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '_', c == '/', c == '.':
			all[c] = inKey | begins | inValue
		case c == '-':
			all[c] = inKey | inValue
		case bytes.IndexByte([]byte(" :=+@,();%$^~!?<>*&|\\"), byte(c)) >= 0:
			all[c] = inValue
		}
	}
	return all
}()

// mostKeyBytes is less than parsers allow in a key.
const mostKeyBytes = 1000

// keyOf is the key at the beginning of a line; nil when none that is certainly a name stands there.
func keyOf(text []byte) []byte {
	if len(text) == 0 || classes[text[0]]&begins == 0 {
		return nil
	}
	n := 1
	for n < len(text) && classes[text[n]]&inKey != 0 {
		n++
	}
	if n == len(text) || n > mostKeyBytes || text[n] != ':' || n+1 < len(text) && text[n+1] != ' ' || !isName(text[:n]) {
		return nil
	}
	return text[:n]
}

// isName reports whether a key begins as a word, and is not null, which is no name.
func isName(key []byte) bool {
	c := key[0] | 0x20
	return 'a' <= c && c <= 'z' && !bytes.EqualFold(key, []byte("null"))
}

// isQuoted reports whether text may stand between quotes in one line, as it is.
func isQuoted(text []byte, escape, quote byte) bool {
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == escape || c == quote {
			return false
		}
	}
	return true
}

// isPlainText reports whether text is a value without quotes.
func isPlainText(text []byte) bool {
	first := classes[text[0]]&begins != 0 || text[0] == '-' && len(text) > 1 && classes[text[1]]&inKey != 0
	if last := text[len(text)-1]; !first || last == ':' || last == ' ' {
		return false
	}
	for i, c := range text {
		if classes[c]&inValue == 0 || c == ':' && text[i+1] == ' ' {
			return false
		}
	}
	return true
}
