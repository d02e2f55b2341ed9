package page

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Inert is text in which everything can be seen: what cannot be printed, changes the direction of what is around it, or
// is no UTF-8, is spelt out.
func Inert(text string) string { return inert(text, "") }

// inertLines keeps the ends of lines, too.
func inertLines(text string) string { return inert(text, "\n\t") }

func inert(text, keep string) string {
	if harmless(text, keep) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError:
			_, size := utf8.DecodeRuneInString(text[i:])
			b.WriteString(strings.Trim(strconv.QuoteToASCII(text[i:i+size]), `"`))
		case strconv.IsPrint(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
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
