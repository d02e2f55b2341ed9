package lazy

import "encoding/binary"

// AnyLineBegins reports whether a line of text after the first begins with c.
func AnyLineBegins(text []byte, c byte) bool { return anyLine(text, c, true) }

// anyLine reports whether a line of text after the first begins with c or, unless with is set, with another byte.
func anyLine(text []byte, c byte, with bool) bool {
	const word = 8
	ended := uint64(0) // the highest bit of the first byte, if a line ends before it
	for ; len(text) >= word; text = text[word:] {
		eight := binary.LittleEndian.Uint64(text)
		ends, found := equalBytes(eight, '\n'), equalBytes(eight, c)
		if !with {
			found ^= highBits
		}
		if (ends<<8|ended)&found != 0 {
			return true
		}
		ended = ends >> 56 // 0x80, which is the highest bit of a byte
	}
	for ; len(text) > 0; text = text[1:] {
		if ended != 0 && (text[0] == c) == with {
			return true
		}
		if ended = 0; text[0] == '\n' {
			ended = highBits
		}
	}
	return false
}

const (
	lowBits  = 0x0101010101010101 // the lowest bit of each byte
	highBits = 0x8080808080808080 // and its highest
)

// equalBytes sets the highest bit of each byte that is c.
func equalBytes(eight uint64, c byte) uint64 {
	other := eight ^ lowBits*uint64(c)
	return ^(other&^highBits + lowBits*0x7f | other) & highBits
}
