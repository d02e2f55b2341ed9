package template

import (
	"strings"
	"unicode"
)

// Nesting counts the nesting of blocks and parentheses of a template and its declarations of variables. It
// reads the text as the parser does, but without recursion, which must have a limit. It stops where the
// parser would give up.
func Nesting(text string) (nesting, declared int) {
	s := &scanner{rest: text}
	for s.action() {
	}
	return s.deepest, s.declared
}

type scanner struct {
	rest     string
	open     []int // for each open block its levels: one, and one for each "else if"
	depth    int
	deepest  int
	declared int
}

// action reads up to and including the next action. It is false when there is none, or when it
// does not end.
func (s *scanner) action() bool {
	_, rest, ok := strings.Cut(s.rest, "{{")
	if !ok {
		return false
	}
	if len(rest) > 1 && rest[0] == '-' && strings.IndexByte(" \t\r\n", rest[1]) >= 0 {
		rest = rest[2:]
	}
	if strings.HasPrefix(rest, "/*") {
		_, s.rest, ok = strings.Cut(rest[2:], "*/")
		return ok
	}
	first, after := word(rest)
	second, _ := word(after)
	s.block(first, second)
	s.rest = rest
	return s.body()
}

// word is the identifier that s begins with, after white space, and the rest.
func word(s string) (string, string) {
	s = strings.TrimLeft(s, " \t\r\n")
	end := strings.IndexFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

func (s *scanner) block(first, second string) {
	switch first {
	case "if", "range", "with", "block", "define":
		s.open = append(s.open, 1)
		s.deeper(1)
	case "else":
		if last := len(s.open) - 1; last >= 0 && (second == "if" || second == "with") {
			s.open[last]++
			s.deeper(1)
		}
	case "end":
		if last := len(s.open) - 1; last >= 0 {
			s.depth -= s.open[last]
			s.open = s.open[:last]
		}
	}
}

func (s *scanner) deeper(by int) {
	s.depth += by
	s.deepest = max(s.deepest, s.depth)
}

// body reads an action to its end, counting parentheses and declarations outside of quotes.
func (s *scanner) body() bool {
	for outside := s.depth; ; {
		i := strings.IndexAny(s.rest, "():}\"'`")
		if i < 0 {
			return false
		}
		c := s.rest[i]
		switch s.rest = s.rest[i+1:]; c {
		case '(':
			s.deeper(1)
		case ')':
			s.depth--
		case ':':
			s.declared++ // occurs only before "="
		case '}':
			if strings.HasPrefix(s.rest, "}") {
				s.rest, s.depth = s.rest[1:], outside
				return true
			}
		default:
			if !s.quoted(c) {
				return false
			}
		}
	}
}

// quoted reads a constant to its end, behind its first quote.
func (s *scanner) quoted(quote byte) bool {
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == quote:
			s.rest = s.rest[i+1:]
			return true
		case quote == '`':
		case c == '\n':
			return false
		case c == '\\':
			i++
		}
	}
	return false
}
