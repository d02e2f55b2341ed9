package safetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is text on one line with every character that cannot be printed, cannot be seen, or turns the direction of others
// spelled out, as \u202e. Invalid bytes are spelled out, too.
func Visible(text string) string { return visible(text, "") }

// VisibleLines is Visible that keeps line ends and tabs.
func VisibleLines(text string) string { return visible(text, "\n\t") }

func visible(text, keep string) string {
	if isPlainASCII(text, keep) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(keep, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(spellOut(text[i:], r))
		}
	}
	return b.String()
}

// isPlainASCII reports whether text holds printable ASCII only. It is the fast path.
func isPlainASCII(text, keep string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && strings.IndexByte(keep, c) < 0 {
			return false
		}
	}
	return true
}

// spellOut returns r, the first character of rest, as it is shown.
func spellOut(rest string, r rune) string {
	switch {
	case r == utf8.RuneError: // stands for invalid bytes, too
		_, size := utf8.DecodeRuneInString(rest)
		return strings.Trim(strconv.QuoteToASCII(rest[:size]), `"`)
	case strconv.IsPrint(r) && !isInvisible(r):
		return string(r)
	}
	return strings.Trim(strconv.QuoteRuneToASCII(r), "'")
}

// invisibleSymbols are letters and symbols without a visible shape that Unicode does not list as ignorable: the empty Braille
// pattern, the Khitan filler, and a note without a head.
const invisibleSymbols = "\u2800\U00016fe4\U0001d159"

// isInvisible reports whether a printable character has no visible shape.
func isInvisible(r rune) bool {
	return r > '~' && (unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		strings.ContainsRune(invisibleSymbols, r))
}
