package expansion

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// program is a template that was found harmless in shape, with guards built in for the rest.
type program struct {
	trees  map[string]*parse.Tree
	direct direct // what it comes to, when that is simple; else nil
	work   int    // of running the main template once, without what guards count
}

// builtins are the functions a template may name: text/template's own, and no others. The
// guards are not among them, so no template can call one.
var builtins = map[string]any{
	"and": true, "or": true, "not": true, "eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true,
	"len": true, "index": true, "slice": true, "call": true,
	"print": true, "printf": true, "println": true, "html": true, "js": true, "urlquery": true,
}

// compile parses text, refuses it when its shape alone is out of bounds, and builds guards in.
func compile(name, text string) (*program, error) {
	trees, err := parseChecked(name, text)
	if err != nil {
		return nil, err
	}
	p := &program{trees: trees, direct: asDirect(escaped(name), trees)} // before guards are built in
	for _, n := range slices.Sorted(maps.Keys(trees)) {
		root := trees[n].Root
		work := guard.Add(root)
		if n == escaped(name) {
			p.work = work
			continue
		}
		root.Nodes = append(steps(root.Pos, work), root.Nodes...)
	}
	return p, nil
}

// parseChecked parses text without guards; what it returns may be run only when the same text
// was run with guards before. The tree of text itself is that of the escaped name.
func parseChecked(name, text string) (map[string]*parse.Tree, error) {
	switch depth, declared := scan(text); {
	case len(text) > maxOutput:
		return nil, fmt.Errorf("template: %s: longer than %d bytes", name, maxOutput)
	case depth > maxDepth:
		return nil, fmt.Errorf("template: %s: nested deeper than %d levels", name, maxDepth)
	case declared > maxDeclared:
		return nil, fmt.Errorf("template: %s: declares variables in more than %d places", name, maxDeclared)
	}
	trees, err := parse.Parse(escaped(name), text, "", "", builtins)
	if err == nil {
		err = checkShape(trees)
	}
	if err != nil {
		return nil, errors.New(unescaped(err.Error(), name))
	}
	return trees, nil
}

// escaped is the name under which a template is parsed. text/template makes its errors' formats out of
// names, so a key with a % in it would garble them.
func escaped(name string) string { return strings.ReplaceAll(name, "%", "%%") }

// unescaped is an error's text with the template's own name, wherever text/template passed the
// escaped one through: plain or quoted.
func unescaped(text, name string) string {
	if !strings.Contains(name, "%") {
		return text
	}
	return strings.NewReplacer(escaped(name), name, strconv.Quote(escaped(name)), strconv.Quote(name)).Replace(text)
}
