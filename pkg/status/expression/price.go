package expression

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// meterOf finds the meter of an evaluation, from within loops, too.
func meterOf(vars interpreter.Activation) *meter {
	if found, is := vars.ResolveName(meterName); is {
		if m, is := found.(*meter); is {
			return m
		}
	}
	return &meter{} // nothing is affordable
}

// pay charges an evaluation and reports whether it can go on.
func pay(vars interpreter.Activation, cost int) bool { return meterOf(vars).pay(cost) }

// payParts charges for looking at all parts of two values.
func payParts(vars interpreter.Activation, a, b ref.Val) bool {
	m := meterOf(vars)
	first := weighTo(a, m.left)
	return m.pay(first + weighTo(b, m.left-first))
}

func costs() ref.Val { return types.WrapErr(ErrCost) }

// large reports whether a value has parts. One that has none was charged for when it came up.
func large(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Int, types.Bool, types.Double, types.Null:
		return false
	case traits.Mapper, traits.Lister:
		return true
	}
	return false
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

// weighTo counts the parts of a value, a part as often as it is reached. It stops soon after most.
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
