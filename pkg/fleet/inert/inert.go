package inert

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is text on one line in which everything can be seen.
func Text(text string) string { return shown(text, "") }

// Lines keeps the ends of lines, and tabs, too.
func Lines(text string) string { return shown(text, "\n\t") }

func shown(text, keep string) string {
	if harmless(text, keep) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(keep, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(spelt(text[i:], r))
		}
	}
	return b.String()
}

// harmless finds out quickly about the usual text.
func harmless(text, keep string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && strings.IndexByte(keep, c) < 0 {
			return false
		}
	}
	return true
}

// spelt is r, the first character of rest, as it is shown.
func spelt(rest string, r rune) string {
	switch {
	case r == utf8.RuneError: // which stands for bytes that are no character, too
		_, size := utf8.DecodeRuneInString(rest)
		return strings.Trim(strconv.QuoteToASCII(rest[:size]), `"`)
	case strconv.IsPrint(r) && !blank(r):
		return string(r)
	}
	return strings.Trim(strconv.QuoteRuneToASCII(r), "'")
}

// blanks are characters that count as letters or symbols and look like nothing: Braille without dots, the fillers of Khitan,
// and a note without a head. Those of Hangul, and others, are known as ignorable.
const blanks = "\u2800\U00016fe4\U0001d159"

// blank reports whether a character that can be printed cannot be seen.
func blank(r rune) bool {
	return r > '~' && (unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		strings.ContainsRune(blanks, r))
}
