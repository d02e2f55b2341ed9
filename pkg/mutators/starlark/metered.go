package starlark

import (
	star "go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// operators are those that rewrite makes calls of, besides the arithmetic ones: PLUS to GTGT, which have PLUS_EQ to
// GTGT_EQ beside them in the same order.
var (
	membership = []syntax.Token{syntax.IN, syntax.NOT_IN}
	compares   = []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE}
	unaries    = []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.TILDE}
)

// builtins are all names that a script sees: the usual ones, metered, and those that rewrite calls.
func (m *meter) builtins() star.StringDict {
	d := star.StringDict{}
	for name, v := range star.Universe {
		if b, ok := v.(*star.Builtin); ok {
			d[name] = m.metered(b)
		}
	}
	for op := syntax.PLUS; op <= syntax.GTGT; op++ {
		d[callBinary+op.String()] = m.binary(op)
		token := op - syntax.PLUS + syntax.PLUS_EQ
		d[callAssign+token.String()] = builtin(token.String(), func(args star.Tuple) (star.Value, error) {
			return args[1], m.assign(op, args[0], args[1])
		})
	}
	for _, op := range membership {
		d[callBinary+op.String()] = m.binary(op)
	}
	for _, op := range compares {
		d[callBinary+op.String()] = builtin(op.String(), func(args star.Tuple) (star.Value, error) {
			if err := m.pay(m.comparePrice(args[0], args[1])); err != nil {
				return nil, err
			}
			yes, err := star.Compare(op, args[0], args[1])
			return star.Bool(yes), err
		})
	}
	for _, op := range unaries {
		d[callUnary+op.String()] = builtin(op.String(), func(args star.Tuple) (star.Value, error) {
			if err := m.pay(plus(small, width(args[0]))); err != nil {
				return nil, err
			}
			return star.Unary(op, args[0])
		})
	}
	m.helpers(d)
	return d
}

func (m *meter) binary(op syntax.Token) *star.Builtin {
	return builtin(op.String(), func(args star.Tuple) (star.Value, error) {
		if err := m.pay(binaryPrice(op, args[0], args[1])); err != nil {
			return nil, err
		}
		v, err := star.Binary(op, args[0], args[1])
		if err != nil {
			return nil, err
		}
		return v, m.tables.know(v)
	})
}

// assign pays for x op= y. A map is updated in place.
func (m *meter) assign(op syntax.Token, x, y star.Value) error {
	if err := m.pay(assignPrice(op, x, y)); err != nil {
		return err
	}
	if d, ok := x.(*star.Dict); ok && op == syntax.PIPE {
		return m.tables.putAll(d, keysOf(y))
	}
	return nil
}

// builtin is a function that rewrite calls, with the right number of arguments.
func builtin(name string, run func(star.Tuple) (star.Value, error)) *star.Builtin {
	return star.NewBuiltin(name, func(_ *star.Thread, _ *star.Builtin, args star.Tuple, _ []star.Tuple) (star.Value, error) {
		return run(args)
	})
}

// metered is b, which pays before it runs.
func (m *meter) metered(b *star.Builtin) *star.Builtin {
	name := fullName(b)
	return star.NewBuiltin(b.Name(), func(t *star.Thread, _ *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
		return m.call(name, b, t, args, kwargs)
	})
}

// fullName is the name of a builtin in prices.
func fullName(b *star.Builtin) string {
	if r := b.Receiver(); r != nil {
		return r.Type() + "." + b.Name()
	}
	return b.Name()
}

func (m *meter) call(name string, b *star.Builtin, t *star.Thread, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	c := call{b.Receiver(), args, kwargs, m.tables.room(b.Receiver())}
	if err := m.pay(prices[name](c)); err != nil {
		return nil, err
	}
	if err := m.keys(name, c); err != nil {
		return nil, err
	}
	if (name == "dict.clear" || name == "set.clear") && len(args)+len(kwargs) == 0 {
		return star.None, m.empty(c.receiver)
	}
	v, err := b.CallInternal(t, m.keyed(name, args), m.keyedBy(name, kwargs))
	if err != nil {
		return nil, err
	}
	if c.receiver != nil {
		if err := m.tables.know(c.receiver); err != nil {
			return nil, err
		}
	}
	return v, m.tables.know(v)
}

// keys counts the keys that are put into maps and sets.
func (m *meter) keys(name string, c call) error {
	switch name {
	case "dict.setdefault", "set.add":
		if len(c.args) > 0 {
			return m.tables.put(c.receiver, c.args[0])
		}
	case "dict", "dict.update":
		for _, a := range c.args {
			if err := m.tables.putAll(c.receiver, pairKeys(a)); err != nil {
				return err
			}
		}
	case "set", "set.update", "set.union", "set.symmetric_difference":
		for _, a := range c.args {
			if err := m.tables.putAll(c.receiver, keysOf(a)); err != nil {
				return err
			}
		}
	}
	return nil
}

// empty removes the keys one by one: the library would walk over the whole table, each time.
func (m *meter) empty(c star.Value) error {
	for _, k := range keysOf(c) {
		var err error
		switch c := c.(type) {
		case *star.Dict:
			_, _, err = c.Delete(k)
		case *star.Set:
			_, err = c.Delete(k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
