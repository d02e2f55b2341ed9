package transform

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Path is one member of an object, as the keys that lead to it. The empty Path is the object.
type Path []string

// identity are the members that identify an object.
var identity = []Path{
	{"apiVersion"}, {"kind"}, {"metadata"}, {"metadata", "name"}, {"metadata", "namespace"},
}

func (p Path) isIdentity() bool {
	return slices.ContainsFunc(identity, func(i Path) bool { return slices.Equal(i, p) })
}

// String writes p in the form that ParsePath reads.
func (p Path) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, key := range p {
		if isName(key) {
			b.WriteString("." + key)
		} else {
			b.WriteString("[" + quote(key) + "]")
		}
	}
	return b.String()
}

func isNameStart(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r >= 0x80
}

func isNameRune(r rune) bool { return isNameStart(r) || '0' <= r && r <= '9' }

func isName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && isNameStart(first) && !strings.ContainsFunc(s, func(r rune) bool { return !isNameRune(r) })
}

// ParsePath reads the JSONPath subset that CustomTransforms use: "$", then any number of .name or
// ["string"], without white space, wildcards, indexes or filters.
func ParsePath(query string) (Path, error) {
	p := &pathParser{text: query}
	switch {
	case query == "":
		return nil, fmt.Errorf("EOF")
	case !utf8.ValidString(query):
		return nil, fmt.Errorf("syntax error: not valid UTF-8")
	case query[0] != '$':
		return nil, p.errorf("missing root identifier (dollar sign)")
	}
	p.at = 1
	path := Path{}
	for p.at < len(query) {
		key, err := p.segment()
		if err != nil {
			return nil, err
		}
		path = append(path, key)
	}
	return path, nil
}

// pathParser reads text from byte offset at.
type pathParser struct {
	text string
	at   int
}

func (p *pathParser) errorf(format string, args ...any) error {
	return fmt.Errorf("syntax error at %d: %s", p.at, fmt.Sprintf(format, args...))
}

// peek is the next rune and its width, width 0 at the end.
func (p *pathParser) peek() (rune, int) {
	r, n := utf8.DecodeRuneInString(p.text[p.at:])
	return r, n
}

// expected is the error for another character, or the end, in place of what.
func (p *pathParser) expected(what string) error {
	r, n := p.peek()
	if n == 0 {
		return p.errorf("%s, got EOF", what)
	}
	return p.errorf("%s, got %q", what, r)
}

func (p *pathParser) segment() (string, error) {
	switch r, _ := p.peek(); r {
	case '.':
		p.at++
		return p.name()
	case '[':
		p.at++
		return p.bracket()
	default:
		return "", p.errorf("extra junk %q after last segment", r)
	}
}

func (p *pathParser) name() (string, error) {
	start := p.at
	if r, n := p.peek(); n == 0 || !isNameStart(r) {
		return "", p.expected("expected member-name-shorthand")
	}
	for {
		r, n := p.peek()
		if n == 0 || !isNameRune(r) {
			return p.text[start:p.at], nil
		}
		p.at += n
	}
}

func (p *pathParser) bracket() (string, error) {
	if r, _ := p.peek(); r != '"' {
		return "", p.expected("expected open quote")
	}
	p.at++
	key, err := p.quoted()
	if err != nil {
		return "", err
	}
	if r, _ := p.peek(); r != ']' {
		return "", p.expected("missing close bracket")
	}
	p.at++
	return key, nil
}
