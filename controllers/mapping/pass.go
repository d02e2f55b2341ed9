package mapping

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

// pass is one pass over some parents of a MapController.
type pass struct {
	*worker
	scope
	view
	result   *mapping.Pass
	attempts []correspond.Attempt
	soon     bool              // somebody else was faster: what was seen is not what is there
	unbound  map[string]bool   // parents whose finalizer could not be written; true: they are held for that
	strays   map[string]string // why, where that is an error
	doomed   string            // a type that is being deleted as a whole

	lock   sync.Mutex
	astray bool // the API server does not know a type as it is known here
}

func newPass(w *worker, s scope) *pass {
	return &pass{worker: w, scope: s, unbound: map[string]bool{}, strays: map[string]string{}}
}

// run looks, decides, acts and tells. A fault is about the MapController as a whole.
func (p *pass) run(ctx context.Context) *fault {
	if f := p.look(ctx); f != nil {
		return f
	}
	world := mapping.World{Items: p.items, Live: true, LastKnown: p.memory.lastKnown, Parallel: p.options.Parallel,
		Hold: p.holds, Seen: p.seen}
	result, err := p.ready.Run(ctx, world)
	if err != nil {
		return &fault{reason: waybill.ReasonFailing, message: oneLine(err.Error())}
	}
	p.result = result
	ripe, later := p.ripen(ctx, result.Plan.Operations)
	p.attempts = append(carryOut(ctx, ripe, p.options.Parallel, p.do), later...)
	if ctx.Err() != nil {
		return nil
	}
	p.judge()
	p.settle(ctx)
	if ctx.Err() == nil {
		p.tell()
	}
	return nil
}

// look is what there is, once it is known to be all there is.
func (p *pass) look(ctx context.Context) *fault {
	for _, step := range []func(context.Context) error{p.bind, p.gather, p.confirm} {
		if err := step(ctx); err != nil {
			return p.whyNot(err)
		}
	}
	return nil
}

// whyNot says why there can be no pass now.
func (p *pass) whyNot(err error) *fault {
	f := &fault{reason: waybill.ReasonUnavailable, message: oneLine(err.Error())}
	switch {
	case errors.Is(err, errUnknown), errors.Is(err, errFaster):
		f.reason, f.brief = waybill.ReasonProgressing, true
	case errors.Is(err, follow.ErrNotServed), errors.Is(err, errOtherScope):
		f.reason = waybill.ReasonNotServed
	case isForbidden(err):
		f.reason = waybill.ReasonForbidden
		f.message += "; allow it to waybill-controller by a ClusterRole with the label rbac.waybill.dev/aggregate-to-map"
	}
	var told *untold
	f.waits = errors.As(err, &told) && f.reason != waybill.ReasonNotServed
	return f
}

// holds reports whether nothing of a parent changes in this pass: it is not looked at, or not bound, or it is
// not there and nobody knows that it is gone.
func (p *pass) holds(key string) bool {
	return !p.coversParent(key) || p.unbound[key] || p.parents[key] == nil && !p.memory.gone[key]
}

// seen says whether a type that a customize hook selects from is known; it is followed from now on.
func (p *pass) seen(t mapping.Type) (bool, error) {
	k := p.ready.kindOf(t)
	p.asks[k] = true
	sh := p.shelves[k]
	if sh == nil {
		p.later = true
		return false, nil
	}
	err := sh.trouble()
	if errors.Is(err, errUnknown) {
		return false, nil
	}
	if err != nil {
		return false, errors.New(k.Resource + ": " + err.Error())
	}
	return true, nil
}

// oneLine is a text without line breaks, and not too long for a condition or an event.
func oneLine(text string) string { return bounded(strings.Join(strings.Fields(text), " ")) }

// has reports whether an object has a finalizer.
func has(o *krm.Object, finalizer string) bool { return slices.Contains(finalizersOf(o), finalizer) }
