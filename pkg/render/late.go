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
// is still there and that nobody looked at. What a function replaced or removed without looking may
// have been broken, as far as the result is concerned.
func (l lateObjects) check(items []*krm.Object) error {
	if len(l) == 0 {
		return nil
	}
	stays := make(map[krm.Origin]bool, len(items))
	for _, o := range items {
		stays[o.Origin()] = true
	}
	for _, o := range l {
		err := o.Fault()
		if stays[o.Origin()] {
			err = o.Check()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
