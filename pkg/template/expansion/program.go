package expansion

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// maxDepth limits the nesting of blocks and parentheses of a template, and of calls of its defined
	// templates.
	maxDepth = 100
	// maxDeclared limits the declarations of variables in a template. Each use of a variable searches all
	// of them, in parsing and running.
	maxDeclared = 200
)

// program is a template with guards whose shape is within the limits.
type program struct {
	trees  map[string]*parse.Tree
	direct direct // nil when the template does not only put properties into text
	work   int    // of running the main template once, without the work that guards count
}

// builtins are the functions a template may name: text/template's own, and no others. The
// guards are not among them, so no template can call one.
var builtins = map[string]any{
	"and": true, "or": true, "not": true, "eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true,
	"len": true, "index": true, "slice": true, "call": true,
	"print": true, "printf": true, "println": true, "html": true, "js": true, "urlquery": true,
}

// compile parses text, refuses it when its shape is beyond a limit, and adds guards.
func compile(name, text string) (*program, error) {
	trees, err := parseChecked(name, text)
	if err != nil {
		return nil, err
	}
	p := &program{trees: trees, direct: asDirect(escaped(name), trees)} // before guards are added
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

// parseChecked parses text without guards; the result may be run only when the same text was run with
// guards before. The tree of text itself is that of the escaped name.
func parseChecked(name, text string) (map[string]*parse.Tree, error) {
	switch depth, declared := template.Nesting(text); {
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

// escaped is the name under which a template is parsed. text/template uses names in formats of
// its errors, so a key with a % in it would garble them.
func escaped(name string) string { return strings.ReplaceAll(name, "%", "%%") }

// unescaped is an error's text with the template's own name in place of the escaped one, plain or quoted.
func unescaped(text, name string) string {
	if !strings.Contains(name, "%") {
		return text
	}
	return strings.NewReplacer(escaped(name), name, strconv.Quote(escaped(name)), strconv.Quote(name)).Replace(text)
}

// checkShape refuses templates whose text shows that they may be endless: a range over a number, a
// padding in printf beyond the limit, and defined templates that call each other in a circle or too deep.
func checkShape(trees map[string]*parse.Tree) error {
	calls := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		tree := trees[name]
		var err error
		template.Walk(tree.Root, func(n parse.Node) {
			if reason := faultOf(n); reason != "" && err == nil {
				where, context := tree.ErrorContext(n)
				err = fmt.Errorf("template: %s: refused at <%s>: %s", where, context, reason)
			}
			if call, ok := n.(*parse.TemplateNode); ok {
				calls[name] = append(calls[name], call.Name)
			}
		})
		if err != nil {
			return err
		}
	}
	return checkCalls(trees, calls)
}

func faultOf(n parse.Node) string {
	switch n := n.(type) {
	case *parse.RangeNode:
		last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0]
		if _, number := last.(*parse.NumberNode); number || template.IsFunction(last, "len") {
			return rangeOverNumber
		}
	case *parse.CommandNode:
		if len(n.Args) > 1 && template.IsFunction(n.Args[0], "printf") {
			if format, ok := n.Args[1].(*parse.StringNode); ok {
				return paddingFault(template.ScanFormat(format.Text, "."))
			}
		}
	}
	return ""
}

// checkCalls refuses circles among templates, and chains of calls longer than maxDepth.
func checkCalls(trees map[string]*parse.Tree, calls map[string][]string) error {
	height := map[string]int{} // longest chain of calls from a template on; 0 during its own check
	var visit func(caller, name string) error
	visit = func(caller, name string) error {
		if h, seen := height[name]; seen && h == 0 {
			return fmt.Errorf("template: %s: refused: template %s calls itself, directly or through others",
				trees[caller].ParseName, strconv.Quote(name))
		} else if seen {
			return nil
		}
		height[name] = 0
		most := 0
		for _, callee := range calls[name] {
			if err := visit(name, callee); err != nil {
				return err
			}
			most = max(most, height[callee])
		}
		if height[name] = most + 1; most >= maxDepth && trees[name] != nil {
			return fmt.Errorf("template: %s: refused: templates call each other deeper than %d levels", trees[name].ParseName, maxDepth)
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if err := visit(name, name); err != nil {
			return err
		}
	}
	return nil
}
