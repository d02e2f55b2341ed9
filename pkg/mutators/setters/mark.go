package setters

import (
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// marking marks the fields of one object, a copy without aliases.
type marking struct {
	*creating
	object  *krm.Object
	changed bool
	secret  edit.Secrecy
	at      *field.Path // the field that cannot be marked
}

// visit marks the fields at and below n, in document order. key is that of the field, nil for an item of a list.
func (m *marking) visit(key, n *yaml.Node, at *field.Path) error {
	switch n.Kind {
	case yaml.MappingNode:
		defer m.secret.Enter(n)()
		return m.fields(n, at)
	case yaml.SequenceNode:
		if key != nil {
			if err := m.list(key, n, at); err != nil {
				return err
			}
		}
		for i, c := range n.Content {
			if err := m.visit(nil, c, at.Index(i)); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		return m.scalar(n, at)
	}
	return nil
}

func (m *marking) fields(n *yaml.Node, at *field.Path) error {
	for key, value := range krm.Fields(n) {
		if krm.IsOrchestration(key.Value) || strings.HasPrefix(key.Value, "config.kubernetes.io") {
			continue // annotations of the orchestrator
		}
		if err := m.visit(key, value, edit.Child(at, key.Value)); err != nil {
			return err
		}
	}
	return nil
}

// scalar marks a text that contains the value of a setter.
func (m *marking) scalar(n *yaml.Node, at *field.Path) error {
	if m.texts == nil || !edit.IsOneLine(n.Value) || !m.contain(n.Value) {
		return nil
	}
	m.at = at
	left := m.budget
	if err := left.Spend(len(n.Value) * m.growth); err != nil {
		return err
	}
	return m.comment(n, m.texts.Replace(n.Value), n.Value, at)
}

// list marks a list that has all the items of a setter, and no others. A list in brackets becomes a block, as its comment, or
// those of its items, need lines.
func (m *marking) list(key, list *yaml.Node, at *field.Path) error {
	items, flow := sortedItems(list), list.Style&yaml.FlowStyle != 0
	i := slices.IndexFunc(m.lists, func(l namedList) bool { return slices.Equal(l.items, items) })
	if flow && len(items) > 0 && (i >= 0 || slices.ContainsFunc(items, m.contain)) {
		list.Style &^= yaml.FlowStyle
		key.LineComment, list.LineComment = list.LineComment, ""
		m.changed, flow = true, false
	}
	if i < 0 {
		return nil
	}
	m.at = at
	holder := key
	if flow {
		holder = list
	}
	return m.comment(holder, "${"+m.lists[i].name+"}", "["+strings.Join(items, " ")+"]", at)
}

// comment gives n the comment for a pattern, and reports it.
func (m *marking) comment(n *yaml.Node, pattern, value string, at *field.Path) error {
	if err := m.budget.Spend(len(pattern) + len(value) + len(at.String())); err != nil {
		return err
	}
	text := mark + pattern
	m.comments++
	m.changed = m.changed || n.LineComment != text
	n.LineComment = text
	if m.secret {
		m.out.Report(sdk.Info, m.object, at, "Added line comment")
		return nil
	}
	m.out.Report(sdk.Info, m.object, at, "Added line comment %s for field with value %s",
		edit.Quote(strings.TrimPrefix(text, "# ")), edit.Quote(value))
	return nil
}
