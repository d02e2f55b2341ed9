package cel

import (
	"slices"

	"github.com/google/cel-go/common/ast"
)

func (t *typing) listed(l ast.ListExpr) *shape {
	var element *shape
	optional := l.OptionalIndices()
	for i, e := range l.Elements() {
		s := t.of(e)
		if slices.Contains(optional, int32(i)) {
			s = unwrapped(s)
		}
		element = t.joined(element, s)
	}
	if element == nil {
		element = unknown()
	}
	return listOf(element)
}

func (t *typing) mapped(m ast.MapExpr) *shape {
	var key, value *shape
	for _, entry := range m.Entries() {
		e := entry.AsMapEntry()
		key = t.joined(key, t.of(e.Key()))
		s := t.of(e.Value())
		if e.IsOptional() {
			s = unwrapped(s)
		}
		value = t.joined(value, s)
	}
	if key == nil {
		key, value = unknown(), unknown()
	}
	return compound(mapName, key, value)
}

// joined is the common type of parts.
func (t *typing) joined(before, next *shape) *shape {
	switch {
	case before == nil:
		return next
	case t.assignable(before, next):
		return t.wider(before, next)
	}
	return dynamic
}

// looped is the type of a loop. Its variables have the types of the parts of its range.
func (t *typing) looped(c ast.ComprehensionExpr) *shape {
	over := t.of(c.IterRange())
	made := t.of(c.AccuInit())
	over = t.written(over)
	start := len(t.scope)
	t.scope = append(t.scope, variable{c.AccuVar(), made})
	first, second := t.elements(over, c.HasIterVar2())
	t.scope = append(t.scope, variable{c.IterVar(), first}, variable{c.IterVar2(), second})
	t.assignable(boolean, t.of(c.LoopCondition()))
	t.assignable(made, t.of(c.LoopStep()))
	t.scope = t.scope[:start+1]
	result := t.written(t.of(c.Result()))
	t.scope = t.scope[:start]
	return result
}

func (t *typing) elements(over *shape, pairs bool) (first, second *shape) {
	switch {
	case over.name == listName && pairs:
		return whole, over.parts[0]
	case over.name == listName:
		return over.parts[0], dynamic
	case over.name == mapName:
		return over.parts[0], over.parts[1]
	case over.free:
		t.assignable(dynamic, over)
	}
	return dynamic, dynamic
}
