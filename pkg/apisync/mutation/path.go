package mutation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// path leads to a value of a document.
type path struct {
	text  string
	parts []part
}

// part is one step of a path.
type part struct {
	key      string // without escapes; "" where it is a pattern
	read     string // for gjson, one step at a time
	search   bool   // a query or a wildcard: the document decides which key that is
	wildcard bool   // it searches by * or ?, and may match several keys
	all      bool   // all items of a list, or their number: no place to write to
	forced   bool   // a key although it is a number
	piped    bool   // after a bar: a step from the list of all results, and not from each
}

// CheckPath says why a path is not valid.
func CheckPath(path string) error {
	_, err := parsePath(path)
	return err
}

func parsePath(text string) (*path, error) {
	if len(text) > maxPath {
		return nil, fmt.Errorf("it is longer than %d bytes", maxPath)
	}
	p, piped := &path{text: text}, false
	for rest := text; ; rest = rest[1:] {
		one, behind, err := parsePart(rest)
		if err != nil {
			return nil, err
		}
		one.piped = piped
		if p.parts = append(p.parts, one); len(p.parts) > maxKeys {
			return nil, fmt.Errorf("it has more than %d keys", maxKeys)
		}
		if behind == "" {
			return p, nil
		}
		rest, piped = behind, behind[0] == '|'
	}
}

// parsePlace is parsePath for a path that a rule can write to.
func parsePlace(text string) (*path, error) {
	p, err := parsePath(text)
	if err != nil {
		return nil, err
	}
	for _, one := range p.parts {
		if one.all {
			return nil, errors.New("# and #(...)# are several places, or none; name one, such as 0 or #(name==\"a\")")
		}
	}
	return p, nil
}

// parsePart reads one step, and returns what is behind it: nothing, or a dot or bar and the rest.
func parsePart(s string) (one part, behind string, err error) {
	switch {
	case s == "" || s[0] == '.' || s[0] == '|':
		return one, "", errors.New("a key is empty: a path neither begins nor ends with a dot, and has no two dots in a row")
	case strings.IndexByte("@!{[", s[0]) >= 0:
		return one, "", fmt.Errorf("a key begins with %c, which a path does not support here; write \\%c for the character", s[0], s[0])
	case s[0] == '#':
		return parseList(s)
	}
	return parseKey(s)
}

func parseKey(s string) (one part, behind string, err error) {
	var key strings.Builder
	escaped, i := "", 0
	for ; i < len(s) && s[i] != '.' && s[i] != '|'; i++ {
		switch c := s[i]; c {
		case '*', '?':
			one.search, one.wildcard = true, true
		case '\\':
			if i++; i == len(s) {
				return one, "", errors.New("the \\ at its end has no character to escape")
			}
			escaped += s[i : i+1]
		}
		key.WriteByte(s[i])
	}
	if one.search {
		if strings.ContainsAny(escaped, `*?\`) {
			return one, "", errors.New("a key has both * or ? as wildcards and escapes of them")
		}
		one.read = s[:i]
		return one, s[i:], nil
	}
	one.key = key.String()
	if rest, forced := strings.CutPrefix(one.key, ":"); forced && isIndex(rest) && s[0] == ':' {
		one.key, one.forced = rest, true
	}
	one.read = gjson.Escape(one.key)
	return one, s[i:], nil
}

// isIndex reports whether a key is a place in a list, if there is a list.
func isIndex(key string) bool { return key != "" && strings.Trim(key, "0123456789") == "" }
