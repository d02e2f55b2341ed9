package safetext

import (
	"strings"
	"unicode/utf8"
)

// ReplaceWord puts mark in place of a word, such as the name of a cluster in a text that a template wrote for it: where no ASCII
// letter or digit, and no character beyond ASCII, stands directly before it or behind it.
func ReplaceWord(text, word, mark string) string {
	if word == "" || !strings.Contains(text, word) {
		return text
	}
	var b strings.Builder
	for at := 0; ; {
		next := strings.Index(text[at:], word)
		if next < 0 {
			b.WriteString(text[at:])
			return b.String()
		}
		from, end := at+next, at+next+len(word)
		b.WriteString(text[at:from])
		if isWordByte(text, from-1) || isWordByte(text, end) {
			b.WriteString(word)
		} else {
			b.WriteString(mark)
		}
		at = end
	}
}

// isWordByte reports whether the byte at a place belongs to a word; there may be none.
func isWordByte(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	c := text[at]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}
