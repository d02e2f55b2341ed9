package starlark

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	star "go.starlark.net/starlark"
)

func init() { maps.Copy(prices, textPrices) }

// textPrices are the prices of the methods of texts.
var textPrices = map[string]func(call) int{
	"string.capitalize":     changedPrice,
	"string.codepoint_ords": fixed, // an iteration pays
	"string.codepoints":     fixed,
	"string.count":          searchPrice,
	"string.elem_ords":      fixed,
	"string.elems":          fixed,
	"string.endswith":       func(c call) int { return plus(small, c.sizes()) },
	"string.find":           searchPrice,
	"string.format":         formatPrice,
	"string.index":          searchPrice,
	"string.isalnum":        searchPrice,
	"string.isalpha":        searchPrice,
	"string.isdigit":        searchPrice,
	"string.islower":        changedPrice,
	"string.isspace":        searchPrice,
	"string.istitle":        searchPrice,
	"string.isupper":        changedPrice,
	"string.join":           joinPrice,
	"string.lower":          changedPrice,
	"string.lstrip":         stripPrice,
	"string.partition":      searchPrice,
	"string.removeprefix":   func(c call) int { return plus(small, c.sizes()) },
	"string.removesuffix":   func(c call) int { return plus(small, c.sizes()) },
	"string.replace":        replacePrice,
	"string.rfind":          searchPrice,
	"string.rindex":         searchPrice,
	"string.rpartition":     searchPrice,
	"string.rsplit":         splitPrice,
	"string.rstrip":         stripPrice,
	"string.split":          splitPrice,
	"string.splitlines":     func(c call) int { return pieces(c.text(), strings.Count(c.text(), "\n")+1) },
	"string.startswith":     func(c call) int { return plus(small, c.sizes()) },
	"string.strip":          stripPrice,
	"string.title":          changedPrice,
	"string.upper":          changedPrice,
}

// text is the receiver of a method of texts.
func (c call) text() string {
	s, _ := star.AsString(c.receiver)
	return s
}

// argText is an argument that is text; else "".
func (c call) argText(i int) string {
	s, _ := star.AsString(c.arg(i))
	return s
}

func searchPrice(c call) int { return plus(small, len(c.text()), c.sizes()) }

// changedPrice is the price of a text in which every character may become a longer one.
func changedPrice(c call) int { return plus(small, times(built+1, len(c.text()))) }

// formatPrice is the price of the longest argument in every field, and of finding the arguments.
func formatPrice(c call) int {
	fields, longest, as := strings.Count(c.text(), "{"), 0, text
	if strings.Contains(c.text(), "!r") {
		as = quoted
	}
	for _, a := range c.args {
		longest = max(longest, as(a))
	}
	for _, kw := range c.kwargs {
		longest = max(longest, as(kw[1]))
	}
	return plus(c.sizes(), times(built, plus(small, len(c.text()), times(fields, plus(longest, len(c.kwargs))))))
}

func joinPrice(c call) int {
	return times(built, plus(small, c.sizes(), times(len(c.text()), count(c.arg(0)))))
}

// stripPrice is the price of comparing every character with all those to strip, unless they are ASCII, for which the
// library has a table.
func stripPrice(c call) int {
	cut := c.argText(0)
	if strings.IndexFunc(cut, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return searchPrice(c)
	}
	return plus(small, times(len(c.text())+1, len(cut)))
}

func replacePrice(c call) int {
	s, old, replacement := c.text(), c.argText(0), c.argText(1)
	n := strings.Count(s, old)
	if most, ok := c.number(2); ok && most >= 0 {
		n = min(n, most)
	}
	return plus(small, times(2, len(s)), len(old), times(n, len(replacement)))
}

// number is an argument that is a number within 64 bits.
func (c call) number(i int) (int, bool) {
	n, ok := c.arg(i).(star.Int)
	if !ok {
		return 0, false
	}
	v, ok := n.Int64()
	return int(v), ok
}

// splitPrice is the price of the pieces. One method allocates as many as it may return.
func splitPrice(c call) int {
	room := 0
	if most, ok := c.number(1); ok {
		room = times(2*slot, max(0, most))
	}
	if separator := c.argText(0); separator != "" {
		return pieces(c.text(), strings.Count(c.text(), separator)+1)
	}
	return plus(pieces(c.text(), words(c.text())), room)
}

// pieces is the price of a list of n parts of s.
func pieces(s string, n int) int { return plus(small, times(2, len(s)), times(2*listed, n)) }

// words counts the words of s.
func words(s string) (n int) {
	inside := false
	for _, r := range s {
		space := unicode.IsSpace(r)
		if !space && !inside {
			n++
		}
		inside = !space
	}
	return n
}
