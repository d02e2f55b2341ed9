package transform

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapes are the escapes of a JavaScript string literal for one fixed character.
var escapes = map[rune]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '0': 0}

// quoted reads the rest of a double-quoted JavaScript string literal, with its closing quote.
func (p *pathParser) quoted() (string, error) {
	var b strings.Builder
	for {
		r, n := p.peek()
		switch {
		case n == 0:
			return "", p.errorf("missing close quote")
		case r == '\n' || r == '\r':
			return "", p.errorf("line break in string")
		}
		p.at += n
		switch r {
		case '"':
			return b.String(), nil
		case '\\':
			c, err := p.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(c)
		default:
			b.WriteRune(r)
		}
	}
}

// escape reads the text after a backslash. A character without a meaning there is itself.
func (p *pathParser) escape() (rune, error) {
	r, n := p.peek()
	if n == 0 {
		return 0, p.errorf("missing close quote")
	}
	p.at += n
	switch r {
	case 'x':
		return p.hex(2)
	case 'u':
		return p.unicode()
	}
	if c, ok := escapes[r]; ok {
		return c, nil
	}
	return r, nil
}

// hex reads exactly n hexadecimal digits.
func (p *pathParser) hex(n int) (rune, error) {
	if len(p.text)-p.at < n {
		return 0, p.errorf("expected %d hexadecimal digits", n)
	}
	v, err := strconv.ParseUint(p.text[p.at:p.at+n], 16, 32)
	if err != nil {
		return 0, p.errorf("expected %d hexadecimal digits", n)
	}
	p.at += n
	return rune(v), nil
}

// unicode reads the text after \u: four digits, a pair of surrogates, or any code point in braces.
func (p *pathParser) unicode() (rune, error) {
	if strings.HasPrefix(p.text[p.at:], "{") {
		digits, _, closed := strings.Cut(p.text[p.at+1:], "}")
		v, err := strconv.ParseUint(digits, 16, 32)
		if !closed || err != nil || v > utf8.MaxRune {
			return 0, p.errorf("expected a code point in braces")
		}
		p.at += len(digits) + 2
		return rune(v), nil
	}
	first, err := p.hex(4)
	if err != nil || !utf16.IsSurrogate(first) || !strings.HasPrefix(p.text[p.at:], `\u`) {
		return first, err
	}
	back := p.at
	p.at += 2
	second, err := p.hex(4)
	if pair := utf16.DecodeRune(first, second); err == nil && pair != utf8.RuneError {
		return pair, nil
	}
	p.at = back // half a pair is U+FFFD; the rest is read again
	return utf8.RuneError, nil
}

// quote writes s as a literal that quoted reads.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
