package engine

import (
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

var errorType = reflect.TypeFor[error]()

// bind makes a function for a run. It has the parameters of the function itself, so that text/template converts arguments, and
// refuses wrong ones, as it does for Helm.
func (r *run) bind(f *function) any {
	made := f.make(r)
	switch call := made.(type) {
	case func(string) string:
		return func(s string) (string, error) {
			if err := r.Draw(callSteps + len(s)/bytesPerStep); err != nil {
				return "", err
			}
			return r.textResult(call(s))
		}
	case func(string, any) (string, error): // include, tpl
		return func(s string, v any) (string, error) {
			if err := r.before(f, s, v); err != nil {
				return "", err
			}
			return call(s, v)
		}
	case func(reflect.Value, ...reflect.Value) (bool, error): // eq, ne
		return call
	}
	return r.wrapped(f, reflect.ValueOf(made))
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
