package httpclient

import (
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Secret is a text that is sent and never shown.
type Secret string

const placeholder = "(hidden)"

// String hides the text.
func (Secret) String() string { return placeholder }

// GoString hides the text.
func (Secret) GoString() string { return placeholder }

// MarshalText hides the text.
func (Secret) MarshalText() ([]byte, error) { return []byte(placeholder), nil }

// Redact replaces secrets, and their encoding in basic authentication, in a text, in whatever way JSON, URLs or HTML escape
// them. It starts with the longest: a short one may be part of it.
func Redact(text string, user string, secrets ...string) string {
	all := slices.Clone(secrets)
	for _, s := range secrets {
		if s != "" {
			all = append(all, base64.StdEncoding.EncodeToString([]byte(user+":"+s)))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	for _, s := range all {
		if s != "" {
			text = redactOne(text, s)
		}
	}
	return text
}

func redactOne(text, secret string) string {
	if !utf8.ValidString(secret) { // nothing in it can be escaped
		return strings.ReplaceAll(text, secret, placeholder)
	}
	var letters [][]string // ways to write each, itself first
	for _, letter := range secret {
		letters = append(letters, append([]string{string(letter)}, escapes(letter)...))
	}
	var first [256]bool // bytes that it may start with
	for _, s := range letters[0] {
		first[s[0]] = true
	}
	var out strings.Builder
	from := 0
	for at := 0; at < len(text); at++ {
		if !first[text[at]] {
			continue
		}
		if end := spelled(text, at, letters); end > at {
			out.WriteString(text[from:at] + placeholder)
			from, at = end, end-1
		}
	}
	return out.String() + text[from:]
}

// spelled is the index after the letters at a place of a text, each escaped in any way; -1 if they are not there.
func spelled(text string, at int, letters [][]string) int {
	ends := spellings(text, at, letters[0], nil) // a backslash may be itself, or begin another letter
	for _, letter := range letters[1:] {
		if len(ends) == 0 {
			return -1
		}
		var next []int
		for _, end := range ends {
			next = spellings(text, end, letter, next)
		}
		ends = next
	}
	if len(ends) == 0 {
		return -1
	}
	return slices.Max(ends)
}

// spellings appends the ends of a letter that starts at a place of a text.
func spellings(text string, at int, letter []string, ends []int) []int {
	rest := text[at:]
	for i, s := range letter {
		if i == 0 && !strings.HasPrefix(rest, s) || i > 0 && !foldedPrefix(rest, s) {
			continue
		}
		if end := at + len(s); !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
	}
	return ends
}

// foldedPrefix reports whether a text begins with an escape, whose hexadecimal digits may be in either case.
func foldedPrefix(text, escape string) bool {
	return len(text) >= len(escape) && text[0] == escape[0] && strings.EqualFold(text[:len(escape)], escape)
}

// escapes are the ways to escape a letter; hexadecimal digits may have either case.
func escapes(letter rune) []string {
	var percent, unicode strings.Builder
	for _, b := range []byte(string(letter)) {
		fmt.Fprintf(&percent, "%%%02x", b)
	}
	for _, u := range utf16.Encode([]rune{letter}) {
		fmt.Fprintf(&unicode, `\u%04x`, u)
	}
	all := []string{percent.String(), unicode.String(), fmt.Sprintf(`\U%08x`, letter), `\` + string(letter), fmt.Sprintf("&#%d;", letter),
		fmt.Sprintf("&#x%x;", letter)}
	if s := html.EscapeString(string(letter)); s != string(letter) {
		all = append(all, s)
	}
	if letter == '"' {
		all = append(all, "&quot;")
	}
	if letter == ' ' {
		all = append(all, "+")
	}
	if letter >= utf8.RuneSelf { // written by a program that reads UTF-8 as Latin-1
		latin := []rune{}
		for _, b := range []byte(string(letter)) {
			latin = append(latin, rune(b))
		}
		all = append(all, string(latin))
	}
	return all
}
