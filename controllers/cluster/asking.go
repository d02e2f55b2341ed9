package cluster

import (
	"context"
	"fmt"
	"sync"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// asking is what one pass asks of the sources, and which state of them it was told.
type asking struct {
	sources *sources
	stop    context.CancelCauseFunc // of the pass

	mu   sync.Mutex
	told map[place]int
}

// ask begins a pass. It is stopped when an answer cannot be had for now: nothing is to be made of a
// cluster that could not be asked.
func (s *sources) ask(stop context.CancelCauseFunc) *asking {
	return &asking{sources: s, stop: stop, told: map[place]int{}}
}

// lister lists the objects of a namespace. Secrets are never among them: what is injected is
// committed to Git.
func (a *asking) lister(ctx context.Context, namespace string) injection.Lister {
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		if apiVersion == "v1" && kind == "Secret" {
			return nil, nil
		}
		at := place{packagevariant.Kind{APIVersion: apiVersion, Kind: kind}, namespace}
		answer, err := a.sources.source(at).answer(ctx)
		if err != nil {
			err = fmt.Errorf("list %s of %s in namespace %q: %w", kind, apiVersion, namespace, err)
			a.stop(err)
			return nil, err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.told[at] = answer.state
		return answer.objects, answer.err
	}
}

// done notes what variants asked for, and returns those who were told what is true no more. From
// then on they are told of changes.
func (a *asking) done(namespace string, asked map[key][]packagevariant.Kind) (again []key) {
	a.sources.note(namespace, asked)
	for variant, kinds := range asked {
		for _, kind := range kinds {
			at := place{kind, namespace}
			if told, ok := a.told[at]; ok && a.sources.source(at).state() != told {
				again = append(again, variant)
				break
			}
		}
	}
	return again
}
