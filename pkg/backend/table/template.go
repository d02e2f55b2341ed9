package table

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Limits on the length of texts in a table and of filled templates.
const (
	maxPath  = 512
	maxID    = 512
	MaxField = 256
)

// template is text with parameters: "/bridges/{parent}/ports", "{macAddr:dashes}_{portId}".
type template []part

// part is text, or a parameter if field is set.
type part struct {
	text  string
	field []string
	how   string
}

// transforms are what a parameter can ask for after a colon.
var transforms = map[string]func(string) string{
	"":       func(s string) string { return s },
	"dashes": func(s string) string { return strings.ReplaceAll(s, ":", "-") },
	"lower":  strings.ToLower,
}

var (
	fieldName   = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$`)
	literalText = lazyregexp.New(`^[A-Za-z0-9._~/-]*$`)
)

// parseTemplate parses a template. The text between parameters needs no escaping in a path.
func parseTemplate(s string) (t template, err error) {
	if len(s) > maxPath {
		return nil, fmt.Errorf("must be no longer than %d bytes", maxPath)
	}
	for s != "" {
		text, rest, found := strings.Cut(s, "{")
		if !literalText.MatchString(text) {
			return nil, errors.New("may have letters, digits, dots, dashes, underscores, tildes, slashes and {parameters}")
		}
		if text != "" {
			t = append(t, part{text: text})
		}
		if !found {
			break
		}
		inside, behind, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, errors.New("has a { without a }")
		}
		p, err := parseParameter(inside)
		if err != nil {
			return nil, err
		}
		t, s = append(t, p), behind
	}
	return t, nil
}

func parseParameter(s string) (part, error) {
	field, how, _ := strings.Cut(s, ":")
	if !fieldName.MatchString(field) {
		return part{}, fmt.Errorf("has a parameter {%s} that is no field", s)
	}
	if transforms[how] == nil {
		return part{}, fmt.Errorf("has a parameter {%s}: want nothing, :dashes or :lower behind the field", s)
	}
	return part{field: strings.Split(field, "."), how: how}, nil
}

// parsePath parses the template of a path that may have the given parameters.
func parsePath(s string, parameters ...string) (template, error) {
	t, err := parseTemplate(s)
	if err != nil {
		return nil, err
	}
	for _, p := range t {
		if p.field != nil && (p.how != "" || !slices.Contains(parameters, strings.Join(p.field, "."))) {
			return nil, fmt.Errorf("has a parameter {%s} that does not exist here", strings.Join(p.field, "."))
		}
	}
	if !strings.HasPrefix(s, "/") {
		return nil, errors.New("must begin with a slash")
	}
	return t, checkSegments(s)
}

// checkSegments refuses a path that a server or a proxy might rewrite.
func checkSegments(path string) error {
	for _, segment := range strings.Split(path, "/")[1:] {
		if segment == "" || segment == "." || segment == ".." {
			return fmt.Errorf("has %q between slashes", segment)
		}
	}
	return nil
}

// needs reports whether the template has the parameter.
func (t template) needs(field string) bool {
	return slices.ContainsFunc(t, func(p part) bool { return len(p.field) == 1 && p.field[0] == field })
}

// Path fills in the template, with every value escaped.
func (t template) Path(parent, id string) (string, error) {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.field == nil:
			b.WriteString(p.text)
		case p.field[0] == "parent":
			b.WriteString(url.PathEscape(parent))
		default:
			b.WriteString(url.PathEscape(id))
		}
	}
	path := b.String()
	if err := checkSegments(path); err != nil {
		return "", fmt.Errorf("path %q %w", path, err)
	}
	return path, nil
}

// id fills in the template from the fields of a body.
func (t template) id(parent string, fields map[string]any) (string, error) {
	var b strings.Builder
	for _, p := range t {
		if p.field == nil {
			b.WriteString(p.text)
			continue
		}
		text, ok := parent, parent != ""
		if len(p.field) > 1 || p.field[0] != "parent" {
			text, ok = TextAt(fields, p.field)
		}
		if !ok || text == "" {
			return "", fmt.Errorf("%s: want a text or a whole number, it is part of the id", strings.Join(p.field, "."))
		}
		b.WriteString(transforms[p.how](text))
	}
	id := b.String()
	return id, checkName("id", id, maxID)
}

// CheckNames refuses a kind, id or parent that no record can have.
func CheckNames(kind, id, parent string) error {
	switch {
	case !kindName().MatchString(kind):
		return fmt.Errorf("kind: %q is not a valid kind", Short(kind))
	case id == "" || checkName("id", id, maxID) != nil:
		return fmt.Errorf("id: %q is not a valid id", Short(id))
	case checkName("parent", parent, MaxField) != nil:
		return fmt.Errorf("parent: %q is not a valid id", Short(parent))
	}
	return nil
}

// checkName refuses a text that cannot be a name.
func checkName(what, s string, longest int) error {
	switch {
	case len(s) > longest:
		return fmt.Errorf("%s is longer than %d bytes", what, longest)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Errorf("%s %q has characters that cannot be printed", what, s)
	case s == "." || s == "..":
		return fmt.Errorf("%s %q means another place in a path", what, s)
	}
	return nil
}
