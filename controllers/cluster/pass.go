package cluster

import (
	"context"
	"time"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// pass is one turn of variants of a namespace.
type pass struct {
	*variants
	namespace string
	began     time.Time
	work      []*task
	asking    *asking
	before    map[string]survey // of the open repositories, by name
}

// pass works variants of one namespace, and along with them those that a budget held back: what is
// too much together does not become less by coming one by one.
func (v *variants) pass(ctx context.Context, namespace string, keys []key) (again []key) {
	p := &pass{variants: v, namespace: namespace, began: time.Now(), before: v.repositories.surveys(namespace)}
	again = p.prepare(ctx, v.held.with(namespace, keys))
	if len(p.work) == 0 {
		return again
	}
	p.reconcile(ctx)
	again = append(again, p.report(ctx)...)
	p.note()
	p.wakeOthers(ctx)
	v.meters.passed(namespace, time.Since(p.began))
	p.log()
	return again
}

// reconcile has the reconciler work the variants. When the cluster cannot say what there is to
// inject, nothing more is pushed, and those not done yet fail with that.
func (p *pass) reconcile(ctx context.Context) {
	passing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p.asking = p.sources.ask(stop)
	r, pvs, keys := p.reconciler, make([]*porchconfig.PackageVariant, len(p.work)), make([]key, len(p.work))
	for i, t := range p.work {
		pvs[i], keys[i] = t.pv, t.key()
	}
	r.Repositories, r.Context = p.repositories.forPass(keys), p.asking.lister
	for i, rep := range r.ReconcileAll(passing, pvs, nil) {
		if cause := context.Cause(passing); rep.Err != nil && cause != nil && ctx.Err() == nil {
			rep = unable(pvs[i], cause)
		}
		p.work[i].report = rep
	}
}

// unable is the report on a variant that could not be worked.
func unable(pv *porchconfig.PackageVariant, cause error) packagevariant.Report {
	return packagevariant.Report{
		Namespace: pv.Namespace, Name: pv.Name, Action: packagevariant.Failed,
		Conditions: variant.Conditions(variant.Plan{}, cause), Message: cause.Error(), Err: cause,
	}
}

// note keeps what variants asked for, and brings back those who were told what is true no more.
func (p *pass) note() {
	asked := map[key][]packagevariant.Kind{}
	for _, t := range p.work {
		if t.report.Err == nil || len(t.report.Asked) > 0 {
			asked[t.key()] = t.report.Asked
		}
	}
	p.wake(p.asking.done(p.namespace, asked))
}

// wakeOthers brings back the variants that care for packages which this pass has changed: our own
// pushes are no news to the repositories. Who is content in spite of them is left alone.
func (p *pass) wakeOthers(ctx context.Context) {
	content, wrote := map[key]bool{}, false
	for _, t := range p.work {
		content[t.key()] = t.report.Err == nil
		wrote = wrote || t.report.Action == packagevariant.Created || t.report.Action == packagevariant.Updated
	}
	if !wrote {
		return
	}
	for name, after := range p.repositories.surveys(p.namespace) {
		what := change{all: true}
		if before, known := p.before[name]; known {
			what = after.since(before)
		}
		for _, pv := range p.all(ctx, p.namespace) {
			k := keyOf(pv)
			if follows(pv, name, what) || !content[k] && concerns(pv, name, what) {
				p.wake([]key{k})
			}
		}
	}
}

// log says in a line what a pass did.
func (p *pass) log() {
	did := map[packagevariant.Action]int{}
	for _, t := range p.work {
		did[t.report.Action]++
	}
	p.options.Log.Info("pass", "namespace", p.namespace, "variants", len(p.work),
		"created", did[packagevariant.Created], "updated", did[packagevariant.Updated], "unchanged", did[packagevariant.Unchanged],
		"blocked", did[packagevariant.Blocked], "kept", did[packagevariant.Kept], "failed", did[packagevariant.Failed], "took",
		time.Since(p.began).Round(time.Millisecond).String())
}
