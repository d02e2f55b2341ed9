package starlark

import (
	"errors"
	"fmt"

	star "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// helpers adds the functions that rewrite calls besides operators.
func (m *meter) helpers(d star.StringDict) {
	pays := func(price func(star.Value) int) func(star.Tuple) (star.Value, error) {
		return func(args star.Tuple) (star.Value, error) { return args[0], m.pay(price(args[0])) }
	}
	d[callAttr] = builtin("attribute", func(args star.Tuple) (star.Value, error) {
		return m.attr(args[0], string(args[1].(star.String)))
	})
	d[callOver] = builtin("over", pays(slicePrice))
	d[callSpread] = builtin("spread", pays(func(v star.Value) int { return times(4, width(v)) }))
	d[callNamed] = builtin("named", pays(func(v star.Value) int { return plus(table, size(v), times(2*entry, count(v))) }))
	d[callKey] = builtin("key", pays(size))
	d[callEnter] = star.NewBuiltin("enter", m.enter)
	d[callMade] = builtin("made", func(args star.Tuple) (star.Value, error) { return args[0], m.made(args[0]) })
	d[callDict] = builtin("dict", func(args star.Tuple) (star.Value, error) { return m.dict(args[0].(*star.List)) })
	m.targets(d)
	d["getattr"] = star.NewBuiltin("getattr", m.getattr)
}

// mostDepth is how many calls may wait for each other: each takes some memory that the interpreter does not bound.
const mostDepth = 1000

// enter is the first step of a function.
func (m *meter) enter(t *star.Thread, _ *star.Builtin, args star.Tuple, _ []star.Tuple) (star.Value, error) {
	if t.CallStackDepth() > mostDepth {
		return nil, fmt.Errorf("functions call themselves or each other more than %d deep", mostDepth)
	}
	n, _ := star.AsInt32(args[0])
	return star.True, m.pay(times(slot, n))
}

// targets adds the functions for a[x] = y: a is pushed before x is computed, which may hold assignments to other targets.
func (m *meter) targets(d star.StringDict) {
	var into []star.Value
	d[callInto] = builtin("into", func(args star.Tuple) (star.Value, error) {
		into = append(into, args[0])
		return args[0], nil
	})
	d[callPut] = builtin("put", func(args star.Tuple) (star.Value, error) {
		c := into[len(into)-1]
		into = into[:len(into)-1]
		if _, ok := c.(*star.Dict); !ok {
			return args[0], m.pay(size(args[0]))
		}
		if err := m.pay(plus(entry, size(args[0]))); err != nil {
			return nil, err
		}
		return args[0], m.tables.put(c, args[0])
	})
}

// made pays for a literal list, tuple, map or function.
func (m *meter) made(v star.Value) error {
	switch v := v.(type) {
	case *star.Dict:
		if err := m.pay(plus(table, times(entry, v.Len()))); err != nil {
			return err
		}
		return m.tables.know(v)
	case *star.Function:
		return m.pay(2 * small)
	}
	return m.pay(plus(small, times(slot, count(v))))
}

// dict is the map of a comprehension, from pairs of keys and values; of the same key, the last counts.
func (m *meter) dict(pairs *star.List) (star.Value, error) {
	if err := m.pay(plus(table, times(entry, pairs.Len()))); err != nil {
		return nil, err
	}
	if err := m.tables.putAll(nil, pairKeys(pairs)); err != nil {
		return nil, err
	}
	d := new(star.Dict)
	for i := range pairs.Len() {
		pair := pairs.Index(i).(star.Tuple)
		if err := d.SetKey(pair[0], pair[1]); err != nil {
			return nil, err
		}
	}
	return d, m.tables.know(d)
}

// attr is x.name. Methods are metered.
func (m *meter) attr(x star.Value, name string) (v star.Value, err error) {
	if err := m.pay(plus(slot, times(built, len(name)))); err != nil {
		return nil, err
	}
	if h, ok := x.(star.HasAttrs); ok {
		v, err = h.Attr(name)
	}
	_, pays := x.(*starlarkstruct.Module) // functions of a library pay for themselves
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return nil, fmt.Errorf("%s has no .%s field or method", x.Type(), name)
	}
	if b, ok := v.(*star.Builtin); ok && !pays {
		return m.metered(b), m.pay(2 * small)
	}
	return v, nil
}

func (m *meter) getattr(_ *star.Thread, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var object, otherwise star.Value
	var name string
	if err := star.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &object, &name, &otherwise); err != nil {
		return nil, err
	}
	v, err := m.attr(object, name)
	if err != nil && !errors.Is(err, errWork) && otherwise != nil {
		return otherwise, nil
	}
	return v, err
}
