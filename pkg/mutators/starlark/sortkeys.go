package starlark

import star "go.starlark.net/starlark"

// keyed is args of a builtin that sorts by a function, with a price for comparing the results of the function.
func (m *meter) keyed(name string, args star.Tuple) star.Tuple {
	if name != "sorted" || len(args) < 2 {
		return args
	}
	all := append(star.Tuple{}, args...)
	all[1] = m.compared(args[1], count(args[0]))
	return all
}

// keyedBy is keyed for kwargs.
func (m *meter) keyedBy(name string, kwargs []star.Tuple) []star.Tuple {
	if name != "sorted" && name != "min" && name != "max" {
		return kwargs
	}
	all := make([]star.Tuple, len(kwargs))
	for i, kw := range kwargs {
		all[i] = kw
		if kw[0] == star.String("key") {
			all[i] = star.Tuple{kw[0], m.compared(kw[1], mostWork)}
		}
	}
	return all
}

// compared is the function key, with a price for comparing its results. A set is compared with each of n others.
func (m *meter) compared(key star.Value, n int) star.Value {
	f, ok := key.(star.Callable)
	if !ok {
		return key
	}
	return star.NewBuiltin("key", func(t *star.Thread, _ *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
		v, err := star.Call(t, f, args, kwargs)
		if err != nil {
			return nil, err
		}
		found := sizeUpTo(mostWork, v)
		if found.sets {
			return v, m.pay(times(max(n, comparisons), found.total))
		}
		return v, m.pay(times(comparisons, found.total))
	})
}
