package text

import (
	"fmt"
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

// function is one that templates can call.
type function struct {
	// make returns the function. Functions that draw steps or report findings use the budget.
	make func(b *budget) any
	// cost checks arguments before the call: it draws the steps of the work beyond reading them, and refuses a result
	// that would be too large. It may replace arguments.
	cost func(b *budget, args []any) error
	// showsMissing is the level from which on it makes text of missing values: 1 is an argument itself, 2 a part of one.
	// 0: at none.
	showsMissing int
	// mutates is whether it changes and returns its first argument.
	mutates bool
}

// called is a function as text/template calls it. It converts arguments itself, so that all functions count in the same way.
type called func(args ...any) (any, error)

// bind makes a function for one run.
func (b *budget) bind(name string, f *function) called {
	value := reflect.ValueOf(f.make(b))
	return func(args ...any) (any, error) {
		if err := b.before(f, args); err != nil {
			return nil, err
		}
		in, err := fit(name, value.Type(), args)
		if err != nil {
			return nil, err
		}
		out := value.Call(in)
		if len(out) == 2 && !out[1].IsNil() {
			return nil, out[1].Interface().(error)
		}
		return b.result(f, out[0].Interface())
	}
}

func (b *budget) before(f *function, args []any) error {
	for i, a := range args {
		if a, is := a.(Accessor); is {
			args[i] = asArgument(a, f.showsMissing == 1)
		}
	}
	e, err := b.measure(args...)
	if err != nil {
		return err
	}
	if f.showsMissing > 0 && e.missing >= f.showsMissing {
		b.missing = true
	}
	if err := b.spend(callSteps); err != nil || f.cost == nil {
		return err
	}
	return f.cost(b, args)
}

// asArgument is a plain value; for a missing one, a function that shows its arguments gets the text of the Accessor.
func asArgument(a Accessor, shown bool) any {
	if v := a.Plain(); v != nil || !shown {
		return v
	}
	return a.String()
}

func (b *budget) result(f *function, v any) (any, error) {
	if s, is := v.(string); is {
		return b.text(s)
	}
	if rows, is := v.([][]any); is { // of chunk
		v = flat(rows)
	}
	if f.mutates {
		_, err := b.measure(v)
		return v, err
	}
	return b.copyOf(v)
}

func flat(rows [][]any) []any {
	list := make([]any, len(rows))
	for i, row := range rows {
		list[i] = row
	}
	return list
}

// fit converts arguments for reflection.
func fit(name string, t reflect.Type, args []any) ([]reflect.Value, error) {
	n, more := t.NumIn(), ""
	if t.IsVariadic() {
		n, more = n-1, " or more"
	}
	if len(args) < n || len(args) > n && more == "" {
		return nil, template.Refuse("%s is given %d values and wants %d%s", name, len(args), n, more)
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		to := paramOf(t, i)
		v, ok := fitOne(a, to)
		if !ok {
			return nil, template.Refuse("%s wants %v as value %d, and is given %s", name, to, i+1, kindOf(a))
		}
		in[i] = v
	}
	return in, nil
}

func paramOf(t reflect.Type, i int) reflect.Type {
	if last := t.NumIn() - 1; t.IsVariadic() && i >= last {
		return t.In(last).Elem()
	}
	return t.In(i)
}

// fitOne converts a whole number to another type that can hold it, since those of JSON are int64 and those of functions
// int.
func fitOne(a any, to reflect.Type) (reflect.Value, bool) {
	v := reflect.ValueOf(a)
	switch {
	case a == nil && to.Kind() == reflect.Interface:
		return reflect.Zero(to), true
	case a == nil:
		return v, false
	case v.Type().AssignableTo(to):
		return v, true
	case v.CanInt() && (to.Kind() == reflect.Int || to.Kind() == reflect.Int64) && !reflect.Zero(to).OverflowInt(v.Int()):
		return v.Convert(to), true
	case v.CanInt() && to.Kind() == reflect.Float64:
		return v.Convert(to), true
	}
	return v, false
}

func kindOf(a any) string {
	if a == nil {
		return "nothing"
	}
	return fmt.Sprintf("%T", a)
}
