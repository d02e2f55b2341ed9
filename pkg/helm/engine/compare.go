package engine

import (
	"fmt"
	"reflect"

	"github.com/waybill-dev/waybill/pkg/template"
)

// equal is eq of text/template. That one quotes values in errors, even ones that contain themselves.
func (r *run) equal(first reflect.Value, others ...reflect.Value) (bool, error) {
	if len(others) == 0 {
		return false, fmt.Errorf("missing argument for comparison")
	}
	if err := r.Draw(callSteps); err != nil {
		return false, err
	}
	for _, other := range others {
		same, err := r.same(concrete(first), concrete(other))
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

func (r *run) unequal(first, second reflect.Value) (bool, error) {
	same, err := r.equal(first, second)
	return !same, err
}

func concrete(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// same compares plain values, of integers also a signed with an unsigned one, and nil with anything.
func (r *run) same(a, b reflect.Value) (bool, error) {
	switch {
	case !a.IsValid() || !b.IsValid():
		return isNil(a) == isNil(b), nil
	case a.CanInt() && b.CanInt():
		return a.Int() == b.Int(), nil
	case a.CanUint() && b.CanUint():
		return a.Uint() == b.Uint(), nil
	case a.CanInt() && b.CanUint():
		return a.Int() >= 0 && uint64(a.Int()) == b.Uint(), nil
	case a.CanUint() && b.CanInt():
		return b.Int() >= 0 && uint64(b.Int()) == a.Uint(), nil
	case a.CanFloat() && b.CanFloat():
		return a.Float() == b.Float(), nil
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return a.String() == b.String(), r.Draw(min(a.Len(), b.Len()) / bytesPerStep)
	case a.CanComplex() && b.CanComplex():
		return a.Complex() == b.Complex(), nil
	case a.Kind() == reflect.Bool && b.Kind() == reflect.Bool:
		return a.Bool() == b.Bool(), nil
	case isBasic(a), isBasic(b):
		return false, fmt.Errorf("incompatible types for comparison: %v and %v", a.Type(), b.Type())
	case a.Kind() == b.Kind() && (isNil(a) || isNil(b)):
		return isNil(a) == isNil(b), nil
	case a.Kind() == b.Kind() && a.Comparable() && b.Comparable():
		return a.Type() == b.Type() && a.Equal(b), nil
	}
	return false, template.Refuse("values of type %s and %s cannot be compared; use deepEqual", a.Type(), b.Type())
}

func isBasic(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool, reflect.String:
		return true
	}
	return v.CanInt() || v.CanUint() || v.CanFloat() || v.CanComplex()
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
		return v.IsNil()
	}
	return false
}
