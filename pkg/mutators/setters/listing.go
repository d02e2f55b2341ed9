package setters

import (
	"context"
	_ "embed" // for the README
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed list-setters.md
var listReadme string

const listName, listKind = "list-setters", "ListSetters"

// List is list-setters: it changes nothing, and reports the setters of a package.
var List = &fn.Function{Name: listName, Kind: listKind, Doc: fn.MustDoc(listReadme, listName), Run: runList}

// listed is one setter.
type listed struct {
	value  string
	kind   string // array, or the type of the value
	count  int    // of fields
	secret bool   // a field is in a Secret
}

// arrayType and textType are types in results.
const arrayType, textType = "array", "str"

// listing collects the setters by name: those of lists, and the others.
type listing struct {
	lists, scalars map[string]*listed
	secret         edit.Secrecy
}

func runList(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	if err := edit.NoOptions(in.Config, listKind); err != nil {
		return nil, err
	}
	l := &listing{lists: map[string]*listed{}, scalars: map[string]*listed{}}
	items := edit.InFileOrder(in.Items) // the first value counts
	l.addPipeline(items)
	for _, o := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isMarked(o.Node()) {
			l.visit(edit.Copy(o).Node())
		}
	}
	out := fn.NewOutput(in)
	l.report(out)
	return out, nil
}

func (l *listing) visit(n *yaml.Node) {
	defer l.secret.Enter(n)()
	switch n.Kind {
	case yaml.MappingNode:
		for key, value := range krm.Fields(n) {
			if krm.IsList(value) {
				l.list(key, value)
			}
			l.visit(value)
		}
	case yaml.SequenceNode:
		for _, c := range n.Content {
			l.visit(c)
		}
	case yaml.ScalarNode:
		l.scalar(n)
	}
}

// list counts a list whose comment names a setter.
func (l *listing) list(key, list *yaml.Node) {
	comment := key.LineComment
	if list.Style&yaml.FlowStyle != 0 {
		comment = list.LineComment
	}
	if p, ok := parsePattern(comment); ok && p.isOneSetter() {
		l.count(l.lists, p.names[0], textOf(sortedItems(list)), arrayType)
	}
}

// scalar counts a value for each setter in its comment.
func (l *listing) scalar(n *yaml.Node) {
	p, ok := parsePattern(n.LineComment)
	if !ok {
		return
	}
	for name, value := range p.derive(n.Value) {
		l.count(l.scalars, name, value, strings.TrimPrefix(n.ShortTag(), "!!"))
	}
}

// count counts a field. A setter keeps its first value; a type is more than that it is text.
func (l *listing) count(in map[string]*listed, name, value, kind string) {
	s := in[name]
	if s == nil {
		s = &listed{value: value, kind: kind}
		in[name] = s
	}
	if s.kind == textType {
		s.kind = kind
	}
	s.count++
	s.secret = s.secret || bool(l.secret)
}

// textOf is the items of a list.
func textOf(items []string) string { return "[" + strings.Join(items, ", ") + "]" }

func (l *listing) report(out *fn.Output) {
	if len(l.lists)+len(l.scalars) == 0 {
		out.Report(sdk.Warning, nil, nil, "no setters found")
	}
	for _, setters := range []map[string]*listed{l.lists, l.scalars} {
		for _, name := range slices.Sorted(maps.Keys(setters)) {
			s := setters[name]
			value := s.value
			if s.secret {
				value = "***"
			}
			out.Report(sdk.Info, nil, nil, "Name: %s, Value: %s, Type: %s, Count: %d", shown(name), shown(value), s.kind, s.count)
		}
	}
}

// shown is a value on one line, not too long.
func shown(value string) string {
	quoted := edit.Quote(value)
	if plain := strings.Trim(quoted, `"`); plain == value {
		return value
	}
	return quoted
}
