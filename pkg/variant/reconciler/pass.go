package reconciler

import (
	"context"
	"runtime"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// pass is one turn of many variants: what they look at is looked at once.
type pass struct {
	*Reconciler
	mu      sync.Mutex
	opened  map[name]opened
	looks   map[*Repository]*look
	context map[string]injection.Lister
	all     []*porchconfig.PackageVariant
	wishes  map[string]*others // by namespace
	shared  shared
	counted []*try // whose changes are held against budgets
}

// ReconcileAll reconciles variants, those of a kind together: what they want is prepared side by
// side; then new drafts of one repository go out in one push. Where that does not go through each
// goes alone, so that no variant has to suffer for another. It reports in the order of the variants.
// turn, which may be nil, is told whose turn it is, one at a time.
func (r *Reconciler) ReconcileAll(ctx context.Context, pvs []*porchconfig.PackageVariant, turn func(i int)) []Report {
	_, reports := r.run(ctx, pvs, turn)
	return reports
}

func (r *Reconciler) run(ctx context.Context, pvs []*porchconfig.PackageVariant, turn func(i int)) (*pass, []Report) {
	p := &pass{Reconciler: r, opened: map[name]opened{}, looks: map[*Repository]*look{}, context: map[string]injection.Lister{},
		all: pvs, wishes: map[string]*others{}}
	tries := p.prepareAll(ctx, pvs, turn)
	p.counted = tries
	p.spend(ctx, tries)
	return p, p.pushAll(ctx, tries)
}

// prepareAll prepares every variant, as many at a time as there are processors.
func (p *pass) prepareAll(ctx context.Context, pvs []*porchconfig.PackageVariant, turn func(i int)) []*try {
	tries := make([]*try, len(pvs))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pvs)) {
		workers.Go(func() {
			for i := range next {
				tries[i] = p.prepare(ctx, pvs[i])
			}
		})
	}
	for i := range pvs {
		if turn != nil {
			turn(i)
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return tries
}

// try is one try at one variant.
type try struct {
	pv    *porchconfig.PackageVariant
	plan  variant.Plan
	actor *actor
	did   outcome
	asked kinds // what its injection points asked for
	err   error
}

// prepare observes, decides, and makes what a draft is to hold. It writes nothing, so that a variant
// that cannot have what it wants leaves every ref as it was.
func (p *pass) prepare(ctx context.Context, pv *porchconfig.PackageVariant) *try {
	t := &try{pv: pv}
	w, err := p.observe(ctx, pv)
	if t.err = err; err != nil {
		return t
	}
	t.plan = variant.Decide(pv, w.World)
	if t.err = t.plan.Err(); t.err == nil {
		t.actor = p.actor(ctx, t, w)
		t.did, t.err = t.actor.draft(ctx)
	}
	return t
}

// again prepares a try anew, and holds it against the budgets in place of the one before.
func (p *pass) again(ctx context.Context, old *try) *try {
	t := p.prepare(ctx, old.pv)
	for i := range p.counted {
		if p.counted[i] == old {
			p.counted[i] = t
		}
	}
	p.spend(ctx, []*try{t})
	return t
}

// push writes what was prepared.
func (t *try) push(ctx context.Context) {
	if t.err == nil {
		t.err = t.actor.push(ctx, &t.did)
	}
}

// lister lists the context objects of a namespace, each kind once in a pass.
func (p *pass) lister(ctx context.Context, namespace string) injection.Lister {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.context[namespace] == nil {
		list := injection.FromObjects(nil, "")
		if p.Context != nil {
			list = p.Context(ctx, namespace)
		}
		p.context[namespace] = once(list)
	}
	return p.context[namespace]
}
