package expression

import (
	"cmp"
	"slices"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// ordered is a map whose keys come in order. The library's come in any, so that an expression that
// takes the first of some labels would give now this one and now that.
type ordered struct {
	traits.Mapper
	keys func() traits.Lister // sorted once, when first asked for
}

// inOrder gives a map an order, and everything else back.
func inOrder(v ref.Val) ref.Val {
	if m, is := v.(traits.Mapper); is {
		return ordered{m, sync.OnceValue(func() traits.Lister { return sortedKeys(m) })}
	}
	return v
}

// Iterator implements the library's Iterable.
func (o ordered) Iterator() traits.Iterator { return o.keys().Iterator() }

func sortedKeys(m traits.Mapper) traits.Lister {
	var keys []ref.Val
	for all := m.Iterator(); all.HasNext() == types.True; {
		keys = append(keys, all.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return types.NewRefValList(types.DefaultTypeAdapter, keys)
}

// compareKeys puts keys of one type in order, and types beside each other.
func compareKeys(a, b ref.Val) int {
	if a, is := a.(types.String); is {
		if b, is := b.(types.String); is {
			return cmp.Compare(a, b)
		}
	}
	if byType := cmp.Compare(a.Type().TypeName(), b.Type().TypeName()); byType != 0 {
		return byType
	}
	if a, is := a.(traits.Comparer); is {
		if result, is := a.Compare(b).(types.Int); is {
			return int(result)
		}
	}
	return 0
}

// orderedMap is a map that is written in an expression.
type orderedMap struct {
	interpreter.InterpretableConstructor
}

// Exec implements the library's InterpretableV2.
func (o orderedMap) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return inOrder(o.InterpretableConstructor.Exec(frame))
}

// Eval implements the library's Interpretable.
func (o orderedMap) Eval(vars interpreter.Activation) ref.Val {
	return o.Exec(interpreter.AsFrame(vars))
}
