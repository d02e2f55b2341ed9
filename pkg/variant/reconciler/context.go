package reconciler

import (
	"cmp"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Kind names a kind of objects.
type Kind struct{ APIVersion, Kind string }

// kinds is a set of them.
type kinds map[Kind]bool

// sorted are the kinds in order.
func (k kinds) sorted() (out []Kind) {
	for kind := range k {
		out = append(out, kind)
	}
	slices.SortFunc(out, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.APIVersion, b.APIVersion), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

// noting is list, and notes what it is asked for.
func (k kinds) noting(list injection.Lister) injection.Lister {
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		k[Kind{apiVersion, kind}] = true
		return list(apiVersion, kind)
	}
}

// once is list, asked once for each kind. It may be called by many goroutines at once.
func once(list injection.Lister) injection.Lister {
	type answer struct {
		once    sync.Once
		objects []*krm.Object
		err     error
	}
	var mu sync.Mutex
	answers := map[Kind]*answer{}
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		mu.Lock()
		a := answers[Kind{apiVersion, kind}]
		if a == nil {
			a = &answer{}
			answers[Kind{apiVersion, kind}] = a
		}
		mu.Unlock()
		a.once.Do(func() { a.objects, a.err = list(apiVersion, kind) })
		return a.objects, a.err
	}
}
