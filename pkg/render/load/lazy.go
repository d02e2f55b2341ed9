package load

import (
	"cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
)

// Lazy are objects that were not parsed to the end: usually works that a function generated before, and that it
// generates again to the byte.
type Lazy []*krm.Object

// LazyIn are those of items.
func LazyIn(items []*krm.Object) (lazy Lazy) {
	for _, o := range items {
		if o.IsLazy() {
			lazy = append(lazy, o)
		}
	}
	return lazy
}

// Check returns the first syntax error: in an object that a function read, or in one that is still among items.
// An object that a function replaced or removed without reading it does not affect the result, and is not checked.
func (l Lazy) Check(items []*krm.Object) error {
	for _, o := range l {
		if err := o.Fault(); err != nil {
			return err
		}
	}
	errs := make([]error, len(items))
	parallel.For(len(items), func(i int) { errs[i] = items[i].Check() })
	return cmp.Or(errs...)
}
