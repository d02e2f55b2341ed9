package plain

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Printable is how many bytes of text, from its beginning, are printable ASCII or end lines.
func Printable(text []byte) (n int) {
	for rest := text; len(rest) >= 16; rest = rest[16:] {
		if (others(binary.LittleEndian.Uint64(rest)) | others(binary.LittleEndian.Uint64(rest[8:]))) != 0 {
			break
		}
		n += 16
	}
	for n < len(text) && (text[n] >= ' ' && text[n] <= '~' || text[n] == '\n') {
		n++
	}
	return n
}

// others is 0 if each of eight bytes is a printable letter of ASCII or ends a line.
func others(b uint64) uint64 {
	const each, high = 0x0101010101010101, 0x8080808080808080 // of each byte the lowest bit, and the highest
	ascii := b &^ high
	fromBlank := ascii + each*(0x80-' ') // the high bit of a byte says that it is a blank or above; no sum overflows a byte
	del := ascii + each                  // that it is 0x7f
	notEnd := (ascii ^ each*'\n') + each*0x7f
	return (b | del | ^fromBlank&notEnd) & high
}

// check reports whether text is UTF-8 without control characters, other line ends than "\n" and byte order marks, and whether it has tabs.
func check(text []byte) (tabs, ok bool) {
	for {
		if text = text[Printable(text):]; len(text) == 0 {
			return tabs, true
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\t':
			tabs = true
		case r < 0xa0 || r == utf8.RuneError && size == 1, r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			return tabs, false
		}
		text = text[size:]
	}
}

// skipBlanks is text without the blanks at its beginning.
func skipBlanks(text []byte) []byte {
	const eight = 0x2020202020202020
	for len(text) >= 8 && binary.LittleEndian.Uint64(text) == eight {
		text = text[8:]
	}
	for len(text) > 0 && text[0] == ' ' {
		text = text[1:]
	}
	return text
}

// isWord are the bytes of names.
var isWord = func() (all [256]bool) {
	for c := range 256 {
		all[c] = isLetter(byte(c)) || '0' <= c && c <= '9' || c == '.' || c == '/' || c == '_' || c == '-'
	}
	return all
}()

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsName reports whether a word begins with a letter, has only the characters of names, and is not null.
func IsName(word []byte) bool { return len(word) > 0 && nameLength(word) == len(word) }

// nameLength is the length of the name that text begins with; 0 for none.
func nameLength(text []byte) int {
	if !isLetter(text[0]) {
		return 0
	}
	n := 1
	for n < len(text) && isWord[text[n]] {
		n++
	}
	if n == len("null") && bytes.EqualFold(text[:n], []byte("null")) {
		return 0
	}
	return n
}

// keyLength is the length of the key that text begins with, before its colon; 0 for none.
func keyLength(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	n := nameLength(text)
	if n == 0 || n > maxKey || n == len(text) || text[n] != ':' || n+1 < len(text) && text[n+1] != ' ' {
		return 0
	}
	return n
}
