package text

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	gotemplate "text/template"
	"text/template/parse"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Template is a compiled template. Several goroutines may execute it at once.
type Template struct {
	name     string
	trees    map[string]*parse.Tree
	uses     []string        // functions
	messages map[string]bool // constant messages of fail
	mutates  bool            // whether it may change its data
	machines sync.Pool
}

// Text is the result of a template.
type Text struct {
	// Trimmed is the text without white space at either end. A missing value is empty text, or the text that a function
	// made of it.
	Trimmed string
	// Missing is whether a missing value was written.
	Missing bool
}

// main is the name of the template itself. Errors do not show it.
const main = "t"

// Compile parses a template. Name is its name in errors of Execute; errors of Compile say the line, and may quote the
// template.
func Compile(name, text string) (*Template, error) {
	if len(text) > maxSource && utf8.RuneCountInString(text) > maxSource {
		return nil, template.Refuse("it is longer than %d characters", maxSource)
	}
	trees, err := parse.Parse(main, text, "", "", names())
	if err != nil {
		return nil, explainParse(err)
	}
	t := &Template{name: name, trees: trees, messages: map[string]bool{}}
	if err := t.guard(); err != nil {
		return nil, err
	}
	t.machines.New = func() any { return t.machine() }
	return t, nil
}

// Execute runs the template, with an Allowance of its own. Data are plain values, as Decode gives them, or Accessors;
// they are not changed. Errors hold no value.
func (t *Template) Execute(ctx context.Context, data any) (Text, error) {
	return t.ExecuteWithin(ctx, NewAllowance(), data)
}

// ExecuteWithin is Execute with the rest of an Allowance.
func (t *Template) ExecuteWithin(ctx context.Context, left *Allowance, data any) (Text, error) {
	m := t.machines.Get().(*machine)
	defer t.machines.Put(m)
	b := m.budget
	*b = budget{ctx: ctx, left: left, messages: t.messages}
	defer func() { b.ctx, b.left = nil, nil }()
	if err := ctx.Err(); err != nil {
		return Text{}, err
	}
	if t.mutates {
		var err error
		if data, err = b.copyData(data); err != nil {
			return Text{}, t.explain(err)
		}
	}
	out := output{b: b}
	if err := m.linked.Execute(&out, data); err != nil {
		return Text{}, t.explain(err)
	}
	if !utf8.Valid(out.text) {
		return Text{}, t.explain(template.Refuse("the result is no valid UTF-8"))
	}
	return Text{string(bytes.TrimSpace(out.text)), b.missing}, nil
}

// copyData copies data that the template may change.
func (b *budget) copyData(data any) (any, error) {
	fields, is := data.(map[string]any)
	if !is {
		return b.copyOf(data)
	}
	own := make(map[string]any, len(fields))
	for name, v := range fields { // an Accessor is not copied
		var err error
		if own[name], err = b.copyOf(v); err != nil {
			return nil, err
		}
	}
	return own, nil
}

// machine is a template whose functions belong to a budget. A function does not know which run calls it, so each run has its
// own machine.
type machine struct {
	budget *budget
	linked *gotemplate.Template
}

func (t *Template) machine() *machine {
	m := &machine{budget: &budget{}}
	functions := m.budget.guards()
	for _, name := range t.uses {
		functions[name] = m.budget.bind(name, functionsByName()[name])
	}
	m.linked = template.Link(main, t.trees, functions)
	return m
}

// ReadsOnly reports whether all that the template reads of its data is at one of some paths, such as
// "Object.metadata.name", or below it. It is false when that is not known, as in a block with other data.
func (t *Template) ReadsOnly(paths ...string) bool {
	for _, tree := range t.trees {
		if !readsOnly(tree.Root, paths) {
			return false
		}
	}
	return len(t.trees) == 1 // a called template has other data
}

func readsOnly(n parse.Node, paths []string) bool {
	switch n := n.(type) {
	case *parse.WithNode, *parse.RangeNode, *parse.TemplateNode, *parse.ChainNode, *parse.DotNode:
		return false // they have fields of another value, or all data
	case *parse.FieldNode:
		return isBelow(n.Ident, paths)
	case *parse.VariableNode: // others than $ hold values of other paths
		return n.Ident[0] != "$" || isBelow(n.Ident[1:], paths)
	}
	only := true
	template.Children(n, func(c parse.Node) { only = only && readsOnly(c, paths) })
	return only
}

func isBelow(fields, paths []string) bool {
	at := strings.Join(fields, ".") + "."
	return slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(at, p+".") })
}
