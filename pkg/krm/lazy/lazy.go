// Package lazy finds the last field of a YAML document by its lines, without parsing it.
//
// Shape: text in, parts of it out, without a copy. When a function is not certain, it says so.
// Cost: one search through the text.
// Errors: none; the caller then parses the document.
// Source: ours; docs/decisions/0005-how-yaml-is-read.md.
package lazy

import (
	"bytes"
	"fmt"
	"strings"
)

// SplitLast cuts a document before field, its last, if annotation is above it; false when the start of field cannot be found
// without parsing.
func SplitLast(doc []byte, field, annotation string) (head, last []byte, ok bool) {
	cut := bytes.Index(doc, fmt.Appendf(nil, "\n%s:\n", field)) + 1
	if cut == 0 || !bytes.Contains(doc[:cut], []byte(annotation)) { // most objects, which are parsed once only
		return nil, nil, false
	}
	head, last = doc[:cut], doc[cut:]
	ok = endsIndented(head) && !bytes.ContainsAny(head, "&*") &&
		onlyIndented(last[len(field)+2:]) && !MayHoldAlias(last) // aliases count for the whole file
	return head, last, ok
}

// endsIndented reports whether the last line of text belongs to the field above it.
func endsIndented(text []byte) bool {
	last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
	return last[0] == ' ' && bytes.TrimLeft(last, " ")[0] != '#'
}

// onlyIndented reports whether text is lines that all begin with a blank, and at least one.
func onlyIndented(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return false
	}
	return text[0] == ' ' && !anyLine(text, ' ', false)
}

// UntilFirstItem is text up to the first item of a list, whose indentation is that of all items.
func UntilFirstItem(text []byte) []byte {
	end := 0
	for end < len(text) {
		line := text[end:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		end += len(line)
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("- ")) {
			break
		}
	}
	return text[:end]
}

// SameText reports whether a and b are the same except for blanks, line ends and quotes.
func SameText(a, b []byte) bool {
	dressing := func(c byte) bool { return c == ' ' || c == '\n' || c == '"' || c == '\'' }
	for {
		const block = 64 // what is equal is not searched for blanks
		for len(a) >= block && len(b) >= block && bytes.Equal(a[:block], b[:block]) {
			a, b = a[block:], b[block:]
		}
		for len(a) > 0 && dressing(a[0]) {
			a = a[1:]
		}
		for len(b) > 0 && dressing(b[0]) {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 || a[0] != b[0] {
			return len(a) == len(b) && len(a) == 0
		}
		a, b = a[1:], b[1:]
	}
}

// MayHoldAlias reports whether an alias may be in text: a "*" where a value begins.
func MayHoldAlias(text []byte) bool {
	for from := 0; ; from++ {
		i := bytes.IndexByte(text[from:], '*')
		if i < 0 {
			return false
		}
		if from += i; from == 0 || strings.IndexByte(" \t\r\n[{,:", text[from-1]) >= 0 {
			return true
		}
	}
}
