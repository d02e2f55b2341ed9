package searchreplace

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// compileGlob makes a regular expression of a pattern of file names: * and ? stand for anything but
// a slash, ** for any number of directories, [a-z] for one character, {a,b} for one of several.
func compileGlob(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > longest {
		return nil, fmt.Errorf("is longer than the %d bytes allowed", longest)
	}
	g := glob{rest: pattern}
	g.out.WriteString("(?s)^")
	for g.rest != "" {
		if err := g.step(); err != nil {
			return nil, err
		}
	}
	if g.open > 0 {
		return nil, errors.New("a { is not closed")
	}
	g.out.WriteString("$")
	return regexp.Compile(g.out.String())
}

// glob is a pattern on its way to a regular expression.
type glob struct {
	rest string
	out  strings.Builder
	open int  // how many { are open
	deep bool // whether what was written last ends a directory
	any  bool // whether anything was written
}

func (g *glob) step() error {
	begins := g.deep || !g.any
	g.deep, g.any = false, true
	switch c := g.rest[0]; {
	case strings.HasPrefix(g.rest, "**/") && begins:
		g.rest, g.deep = g.rest[3:], true
		g.out.WriteString("(?:[^/]+/)*")
	case g.rest == "**" && begins:
		g.rest = ""
		g.out.WriteString(".*")
	case g.rest == "/**":
		g.rest = ""
		g.out.WriteString("(?:/.*)?")
	case c == '*':
		g.rest = strings.TrimLeft(g.rest, "*")
		g.out.WriteString("[^/]*")
	case c == '?':
		g.take(1, "[^/]")
	case c == '[':
		return g.class()
	case c == '{':
		g.open++
		g.deep = begins
		g.take(1, "(?:")
	case c == '}' && g.open > 0:
		g.open--
		g.take(1, ")")
	case c == ',' && g.open > 0:
		g.take(1, "|")
	default:
		return g.literal()
	}
	return nil
}

// take writes text in place of the next n bytes.
func (g *glob) take(n int, text string) {
	g.rest = g.rest[n:]
	g.out.WriteString(text)
}

func (g *glob) literal() error {
	if g.rest[0] == '\\' {
		if g.rest = g.rest[1:]; g.rest == "" {
			return errors.New("ends in a backslash")
		}
	} else {
		g.deep = g.rest[0] == '/'
	}
	c, size := utf8.DecodeRuneInString(g.rest)
	g.take(size, regexp.QuoteMeta(string(c)))
	return nil
}

// class reads [abc], [a-z], [^a] or [!a].
func (g *glob) class() error {
	end := strings.IndexByte(g.rest[1:], ']')
	if end < 0 {
		return errors.New("a [ is not closed")
	}
	text := g.rest[1 : end+1]
	negated := strings.HasPrefix(text, "^") || strings.HasPrefix(text, "!")
	if negated {
		text = text[1:]
	}
	if text == "" {
		return errors.New("a [] names no character")
	}
	quoted := strings.NewReplacer(`\`, `\\`, "[", `\[`, "^", `\^`, "&", `\&`, "~", `\~`).Replace(text)
	if negated {
		g.take(end+2, "[^/"+quoted+"]")
		return nil
	}
	g.take(end+2, "["+quoted+"]")
	return nil
}
