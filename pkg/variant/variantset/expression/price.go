package expression

import (
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// perUnit is how many bytes of text one unit of cost pays for.
const perUnit = 32

// prices says what calls really cost: by the size of what they look at.
type prices struct{}

// CallCost implements the library's ActualCostEstimator.
func (prices) CallCost(function, _ string, args []ref.Val, _ ref.Val) *uint64 {
	cost := 1
	switch {
	case len(args) == 2 && (function == operators.Equals || function == operators.NotEquals):
		cost += weigh(args[0]) + weigh(args[1])
	case len(args) == 2 && function == operators.In:
		cost += weighIn(args[0], args[1])
	case len(args) == 2 && function == overloads.Matches:
		cost += matchingCost(args[0], args[1])
	default:
		for _, arg := range args {
			cost += length(arg) / perUnit
		}
	}
	price := uint64(cost)
	return &price
}

// length is how many bytes a text has; 0 for all that is none.
func length(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// items is how long a list is; 0 for all that is none.
func items(v ref.Val) int {
	if list, is := v.(traits.Lister); is {
		return int(list.Size().(types.Int))
	}
	return 0
}

// weigh counts the parts of a value, a part as often as it is reached. It stops soon after
// maxParts.
func weigh(v ref.Val) int { return weighTo(v, maxParts) }

func weighTo(v ref.Val, most int) int {
	switch v := v.(type) {
	case traits.Mapper:
		return weighMap(v, most)
	case traits.Lister:
		return weighList(v, most)
	}
	return 1 + length(v)/perUnit
}

func weighMap(m traits.Mapper, most int) int {
	weight := 1
	for keys := m.Iterator(); keys.HasNext() == types.True && weight <= most; {
		key := keys.Next()
		weight += weighTo(key, most-weight)
		if value, found := m.Find(key); found {
			weight += weighTo(value, most-weight)
		}
	}
	return weight
}

func weighList(l traits.Lister, most int) int {
	weight := 1
	for i := 0; i < items(l) && weight <= most; i++ {
		weight += weighTo(l.Get(types.Int(i)), most-weight)
	}
	return weight
}

// weighIn is weigh for the question whether a container has an element. A map looks up.
func weighIn(element, container ref.Val) int {
	if _, is := container.(traits.Mapper); is {
		return weigh(element)
	}
	return weigh(element) + weigh(container)
}
