package render

import (
	"github.com/waybill-dev/waybill/pkg/krm"
)

// lateObjects are what was read without being parsed to the end: works that a function generated
// before, as a rule, and that it most often generates again to the byte.
type lateObjects []*krm.Object

func lateOf(items []*krm.Object) (late lateObjects) {
	for _, o := range items {
		if o.Late() {
			late = append(late, o)
		}
	}
	return late
}

// check reports the first that turned out to be broken: one that a function looked into, or one that
// is still among items and that nobody looked at. What a function replaced or removed without looking
// may have been broken, as far as the result is concerned.
func (l lateObjects) check(items []*krm.Object) error {
	for _, o := range l {
		if err := o.Fault(); err != nil {
			return err
		}
	}
	for _, o := range items {
		if err := o.Check(); err != nil {
			return err
		}
	}
	return nil
}
