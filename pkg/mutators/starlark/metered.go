package starlark

import (
	"fmt"

	star "go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// operators are those that rewrite makes calls of.
var operators = []syntax.Token{
	syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT,
	syntax.AMP, syntax.PIPE, syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT, syntax.IN, syntax.NOT_IN,
}

var comparisons = []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE}

var assignments = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR, syntax.SLASH_EQ: syntax.SLASH,
	syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.PERCENT_EQ: syntax.PERCENT, syntax.AMP_EQ: syntax.AMP, syntax.PIPE_EQ: syntax.PIPE,
	syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX, syntax.LTLT_EQ: syntax.LTLT, syntax.GTGT_EQ: syntax.GTGT,
}

// builtins are all that a script finds: the usual ones, metered, and what rewrite calls.
func (m *meter) builtins() star.StringDict {
	d := star.StringDict{}
	for name, v := range star.Universe {
		if b, ok := v.(*star.Builtin); ok {
			d[name] = m.metered(b)
		}
	}
	for _, op := range operators {
		d[callBinary+op.String()] = m.builtin(op.String(), func(args star.Tuple) (star.Value, error) {
			if err := m.pay(binaryPrice(op, args[0], args[1])); err != nil {
				return nil, err
			}
			return star.Binary(op, args[0], args[1])
		})
	}
	for _, op := range comparisons {
		d[callBinary+op.String()] = m.builtin(op.String(), func(args star.Tuple) (star.Value, error) {
			if err := m.pay(comparePrice(args[0], args[1])); err != nil {
				return nil, err
			}
			yes, err := star.Compare(op, args[0], args[1])
			return star.Bool(yes), err
		})
	}
	for token, op := range assignments {
		d[callAssign+token.String()] = m.builtin(token.String(), func(args star.Tuple) (star.Value, error) {
			return args[1], m.pay(assignPrice(op, args[0], args[1]))
		})
	}
	d[callAttr] = m.builtin("attribute", func(args star.Tuple) (star.Value, error) { return m.attr(args[0], string(args[1].(star.String))) })
	d[callOver] = m.builtin("over", func(args star.Tuple) (star.Value, error) { return args[0], m.pay(width(args[0])) })
	d[callKey] = m.builtin("key", func(args star.Tuple) (star.Value, error) { return args[0], m.pay(size(args[0])) })
	d["getattr"] = star.NewBuiltin("getattr", m.getattr)
	return d
}

// builtin is one that rewrite calls, with as many arguments as it wants.
func (m *meter) builtin(name string, run func(star.Tuple) (star.Value, error)) *star.Builtin {
	return star.NewBuiltin(name, func(_ *star.Thread, _ *star.Builtin, args star.Tuple, _ []star.Tuple) (star.Value, error) {
		return run(args)
	})
}

// metered is b, which pays before it runs.
func (m *meter) metered(b *star.Builtin) *star.Builtin {
	return star.NewBuiltin(b.Name(), func(t *star.Thread, _ *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
		if err := m.pay(price(b.Name(), b.Receiver(), args, kwargs)); err != nil {
			return nil, err
		}
		return b.CallInternal(t, args, kwargs)
	})
}

// attr is x.name. Methods are metered.
func (m *meter) attr(x star.Value, name string) (star.Value, error) {
	var v star.Value
	var err error
	if h, ok := x.(star.HasAttrs); ok {
		v, err = h.Attr(name)
	}
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return nil, fmt.Errorf("%s has no .%s field or method", x.Type(), name)
	}
	if b, ok := v.(*star.Builtin); ok {
		return m.metered(b), nil
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
	if err != nil && otherwise != nil {
		return otherwise, nil
	}
	return v, err
}

// binaryPrice is what x op y costs.
func binaryPrice(op syntax.Token, x, y star.Value) int {
	switch op {
	case syntax.STAR: // text or a list so many times
		return max(repeatPrice(x, y), repeatPrice(y, x))
	case syntax.PERCENT:
		if s, ok := x.(star.String); ok {
			return times(len(s)+1, plus(1, size(y)))
		}
	case syntax.IN, syntax.NOT_IN:
		if _, ok := y.(*star.Dict); ok {
			return width(x)
		}
		return plus(size(x), size(y))
	}
	return plus(width(x), width(y))
}

func repeatPrice(x, n star.Value) int {
	count, err := star.AsInt32(n)
	if err != nil {
		return plus(width(x), width(n))
	}
	if _, ok := x.(star.Int); ok {
		return width(x)
	}
	return times(width(x), max(1, count))
}

// comparePrice is what it costs at most to compare: as much as the smaller of both.
func comparePrice(x, y star.Value) int { return 1 + smaller(x, y) }

// assignPrice is what x op= y costs. A list is extended in its place.
func assignPrice(op syntax.Token, x, y star.Value) int {
	if _, ok := x.(*star.List); ok && op == syntax.PLUS {
		return width(y)
	}
	return binaryPrice(op, x, y)
}
