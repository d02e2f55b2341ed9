package mutation

import (
	"errors"
	"strings"
)

var (
	errQuery  = errors.New("a query has no closing bracket; write #(path op value), such as #(name==\"a\")")
	errBehind = errors.New("the text after a # does not belong to it; write \\# for the character")
	errNested = errors.New("a query within a query has the form #(...), and contains none of | @ { [")
)

// parseList reads # and what belongs to it.
func parseList(s string) (one part, behind string, err error) {
	end := 1
	if one.all = true; len(s) > 1 && (s[1] == '(' || s[1] == '[') {
		if end, err = parseQuery(s); err != nil {
			return one, "", err
		}
		if one.all = end < len(s) && s[end] == '#'; one.all {
			end++
		}
		one.search = !one.all
	}
	if end < len(s) && s[end] != '.' && s[end] != '|' {
		return one, "", errBehind
	}
	one.read = s[:end]
	return one, s[end:], nil
}

// parseQuery returns the end of the query that s begins with. Before its operator there is a path, which gjson follows; it
// must be safe. gjson takes a query within it for keys if the value is an object and no list, and its strings for paths: so
// these must not contain characters with a meaning.
func parseQuery(s string) (end int, err error) {
	end, operator := queryEnd(s)
	if end == 0 {
		return 0, errQuery
	}
	within := strings.TrimSpace(s[2:operator])
	if within == "" {
		return end, nil
	}
	p, err := parsePath(within)
	if err != nil {
		return 0, err
	}
	for _, one := range p.parts {
		if one.piped || strings.ContainsAny(one.read, "([") && strings.ContainsAny(s[2:end], "|@{[") {
			return 0, errNested
		}
	}
	return end, nil
}

// queryEnd is the end of the query that s begins with, and the place of its operator, or of its closing bracket; 0 where
// there is no end.
func queryEnd(s string) (end, operator int) {
	depth, quoted := 0, false
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case depth == 1 && operator == 0 && strings.IndexByte("!=<>%", c) >= 0:
			operator = i
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth == 0 {
				if operator == 0 {
					operator = i
				}
				return i + 1, operator
			}
		}
	}
	return 0, 0
}
