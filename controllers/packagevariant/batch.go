package packagevariant

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/objectcache"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// reconcile reconciles PackageVariants of one namespace, and those that a budget stopped there: changes that are too many
// together must not pass one by one.
func (c *Controller) reconcile(ctx context.Context, namespace string, variants []key) (retry []key) {
	began, before := time.Now(), c.repositories.Revisions(namespace)
	tasks, retry := c.prepare(ctx, c.outcomes.withOverBudget(namespace, variants))
	tasks, contested := c.withoutContested(ctx, tasks)
	retry = append(retry, contested...)
	if len(tasks) == 0 {
		return retry
	}
	reads := c.act(ctx, tasks)
	retry = append(retry, c.report(ctx, tasks)...)
	c.queue.enqueue(reads.Commit(namespace, injected(tasks))...)
	c.enqueueAffected(ctx, namespace, tasks, before)
	c.outcomes.countBatch(namespace, time.Since(began))
	c.log(namespace, tasks, time.Since(began))
	return retry
}

// act has the reconciler do what the PackageVariants want, and returns what it read. When the API server cannot list the
// objects to inject, nothing more is pushed, and those not done yet fail with that.
func (c *Controller) act(ctx context.Context, tasks []*task) *objectcache.ReadSet {
	passing, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	reads := c.objects.ReadSet(fail)
	pvs, keys := make([]*porchconfig.PackageVariant, len(tasks)), make([]key, len(tasks))
	for i, t := range tasks {
		pvs[i], keys[i] = t.pv, t.key()
	}
	r := c.reconciler
	r.Repositories, r.Context = c.repositories.ForBatch(keys), reads.Lister
	for i, rep := range r.ReconcileAll(passing, pvs, nil) {
		if cause := context.Cause(passing); rep.Err != nil && cause != nil && ctx.Err() == nil {
			rep = failed(pvs[i], cause)
		}
		tasks[i].report = rep
	}
	return reads
}

// failed is the report on a PackageVariant that could not be reconciled.
func failed(pv *porchconfig.PackageVariant, cause error) reconciler.Report {
	return reconciler.Report{
		Namespace: pv.Namespace, Name: pv.Name, Action: reconciler.Failed,
		Conditions: variant.Conditions(variant.Plan{}, cause), Message: cause.Error(), Err: cause,
	}
}

// injected returns the kinds that each PackageVariant asked for to inject, where that is known.
func injected(tasks []*task) map[key][]injection.Kind {
	kinds := map[key][]injection.Kind{}
	for _, t := range tasks {
		if t.report.Err == nil || len(t.report.Kinds) > 0 {
			kinds[t.key()] = t.report.Kinds
		}
	}
	return kinds
}

// enqueueAffected enqueues the PackageVariants that this batch affected by its own pushes, which are no change to the
// repository cache. Those that succeeded in spite of them are left alone.
func (c *Controller) enqueueAffected(ctx context.Context, namespace string, tasks []*task, before map[string][]revision.Revision) {
	succeeded, wrote := map[key]bool{}, false
	for _, t := range tasks {
		succeeded[t.key()] = t.report.Err == nil
		wrote = wrote || t.report.Action == reconciler.Created || t.report.Action == reconciler.Updated
	}
	if !wrote {
		return
	}
	for name, after := range c.repositories.Revisions(namespace) {
		what := snapshot.Change{All: true}
		if was, known := before[name]; known {
			what = snapshot.Changes(was, after)
		}
		if !what.IsZero() {
			c.repositories.NotifyPorch(ctx, key{Namespace: namespace, Name: name})
		}
		for _, pv := range c.inNamespace(ctx, namespace) {
			k := client.ObjectKeyFromObject(pv)
			if affectsUpstream(what, name, pv) || !succeeded[k] && affects(what, name, pv) {
				c.queue.enqueue(k)
			}
		}
	}
}

// log says in a line what a batch did.
func (c *Controller) log(namespace string, tasks []*task, took time.Duration) {
	did := map[reconciler.Action]int{}
	for _, t := range tasks {
		did[t.report.Action]++
	}
	c.options.Log.Info("pass", "namespace", namespace, "variants", len(tasks),
		"created", did[reconciler.Created], "updated", did[reconciler.Updated], "unchanged", did[reconciler.Unchanged],
		"blocked", did[reconciler.Blocked], "kept", did[reconciler.Kept], "failed", did[reconciler.Failed], "took",
		took.Round(time.Millisecond).String())
}
