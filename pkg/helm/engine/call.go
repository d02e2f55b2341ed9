package engine

import (
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

var errorType = reflect.TypeFor[error]()

// bind makes a function for a run. It has the parameters of the function itself, so that text/template converts arguments, and
// refuses wrong ones, as it does for Helm.
func (r *run) bind(f *function) any {
	switch call := f.make(r).(type) { // the most common types without reflection
	case func(string) string:
		return text1(r, f, call)
	case func(any) string:
		return text1(r, f, call)
	case func(string, string) string:
		return text2(r, f, call)
	case func(int, string) string:
		return text2(r, f, call)
	case func(string, string, string) string:
		return func(a, b, c string) (string, error) {
			if err := r.before(f, a, b, c); err != nil {
				return "", err
			}
			return r.textResult(call(a, b, c))
		}
	case func(...any) string:
		return func(args ...any) (string, error) {
			if err := r.before(f, args...); err != nil {
				return "", err
			}
			return r.textResult(call(args...))
		}
	case func(any) (string, error): // toYaml
		return func(v any) (string, error) {
			if err := r.before(f, v); err != nil {
				return "", err
			}
			return call(v)
		}
	case func(string, any) (string, error): // include, tpl
		return func(s string, v any) (string, error) {
			if err := r.before(f, s, v); err != nil {
				return "", err
			}
			return call(s, v)
		}
	case func(any, ...any) any: // default
		return func(v any, more ...any) (any, error) {
			if err := r.before(f, append([]any{v}, more...)...); err != nil {
				return nil, err
			}
			return call(v, more...), nil
		}
	case func(reflect.Value, ...reflect.Value) (bool, error), func(reflect.Value, reflect.Value) (bool, error): // eq, ne
		return call
	default:
		return r.wrapped(f, reflect.ValueOf(call))
	}
}

func text1[A any](r *run, f *function, call func(A) string) any {
	return func(a A) (string, error) {
		if err := r.before(f, a); err != nil {
			return "", err
		}
		return r.textResult(call(a))
	}
}

func text2[A, B any](r *run, f *function, call func(A, B) string) any {
	return func(a A, b B) (string, error) {
		if err := r.before(f, a, b); err != nil {
			return "", err
		}
		return r.textResult(call(a, b))
	}
}

func (r *run) textResult(s string) (string, error) { return s, r.text(len(s)) }

// wrapped is any function with an error as its second result.
func (r *run) wrapped(f *function, call reflect.Value) any {
	t := call.Type()
	in := make([]reflect.Type, t.NumIn())
	for i := range in {
		in[i] = t.In(i)
	}
	invoke := call.Call
	if t.IsVariadic() {
		invoke = call.CallSlice
	}
	outer := reflect.FuncOf(in, []reflect.Type{t.Out(0), errorType}, t.IsVariadic())
	return reflect.MakeFunc(outer, func(args []reflect.Value) []reflect.Value {
		if err := r.before(f, plain(args, t.IsVariadic())...); err != nil {
			return []reflect.Value{reflect.Zero(t.Out(0)), reflect.ValueOf(&err).Elem()}
		}
		out := invoke(args)
		var err error
		if len(out) == 2 {
			err, _ = out[1].Interface().(error)
		}
		if err == nil {
			err = r.after(out[0])
		}
		return []reflect.Value{out[0], reflect.ValueOf(&err).Elem()}
	}).Interface()
}

// plain are the values of arguments.
func plain(args []reflect.Value, variadic bool) []any {
	all := make([]any, 0, len(args)+4)
	for i, a := range args {
		if variadic && i == len(args)-1 {
			for j := range a.Len() {
				all = append(all, a.Index(j).Interface())
			}
			continue
		}
		all = append(all, a.Interface())
	}
	return all
}

// before draws the cost of a call.
func (r *run) before(f *function, args ...any) error {
	if err := r.Draw(callSteps); err != nil {
		return err
	}
	if err := r.readAs(f.reads, args); err != nil || f.cost == nil {
		return err
	}
	return f.cost(r, args)
}

func (r *run) readAs(how reading, args []any) error {
	switch how {
	case deep, prints:
		return r.read(how == prints, args...)
	case shallow:
		for _, a := range args {
			if err := r.Draw(template.PartsOf(a)); err != nil {
				return err
			}
		}
	}
	return nil
}

// after draws the cost of a result.
func (r *run) after(result reflect.Value) error {
	switch result.Kind() {
	case reflect.String:
		return r.text(result.Len())
	case reflect.Interface:
		if !result.IsNil() {
			return r.after(result.Elem())
		}
	case reflect.Slice, reflect.Map:
		return r.Draw(result.Len())
	}
	return nil
}
