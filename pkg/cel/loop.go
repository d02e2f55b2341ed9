package cel

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// rangeName is a function that no expression can name. It wraps the range of a loop.
const rangeName = "@range"

// enter pays for a loop over a value. It gives the keys of a map in their order, so that the first of some labels is
// the same every time.
func (l loop) enter(frame *interpreter.ExecutionFrame, over ref.Val) ref.Val {
	sized, is := over.(traits.Sizer)
	if !is {
		return over // an error, or the library reports one
	}
	parts, is := sized.Size().(types.Int)
	roundCost := l.body
	m, sorted := over.(traits.Mapper)
	if sorted {
		roundCost += keyCost
	}
	if !is || !pay(frame, loopCost+(1+int(parts))*roundCost) {
		return costs()
	}
	switch {
	case !sorted:
		return over
	case l.pairs:
		return ordered{m, sortedKeys(m)}
	}
	return sortedKeys(m)
}

// ordered is a map with an iterator in the order of the keys.
type ordered struct {
	traits.Mapper
	keys traits.Lister
}

// Iterator implements the library's Iterable.
func (o ordered) Iterator() traits.Iterator { return o.keys.Iterator() }

func sortedKeys(m traits.Mapper) traits.Lister {
	switch data := m.Value().(type) {
	case map[string]any:
		return types.NewStringList(adapter{}, slices.Sorted(maps.Keys(data)))
	case map[string]string:
		return types.NewStringList(adapter{}, slices.Sorted(maps.Keys(data)))
	}
	var keys []ref.Val
	for all := m.Iterator(); all.HasNext() == types.True; {
		keys = append(keys, all.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return types.NewRefValList(adapter{}, keys)
}

// compareKeys orders keys by type, then by value.
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
