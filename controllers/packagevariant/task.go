package packagevariant

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// task is one PackageVariant of a batch, as it was when the batch began, and the report on it.
type task struct {
	pv     *porchconfig.PackageVariant
	report reconciler.Report
}

func (t *task) key() key { return client.ObjectKeyFromObject(t.pv) }

// requestsAtATime is how many requests to the API server a batch makes at a time.
const requestsAtATime = 16

// prepare reads PackageVariants and puts the finalizer on each: nothing is pushed for one without.
func (c *Controller) prepare(ctx context.Context, variants []key) (tasks []*task, retry []key) {
	found, errs := make([]*task, len(variants)), make([]error, len(variants))
	workqueue.ParallelizeUntil(ctx, requestsAtATime, len(variants), func(i int) { found[i], errs[i] = c.task(ctx, variants[i]) })
	for i, k := range variants {
		switch {
		case errs[i] != nil:
			c.options.Log.Info("variant cannot be prepared", "namespace", k.Namespace, "variant", k.Name, "error", errs[i].Error())
			retry = append(retry, k)
		case found[i] != nil:
			tasks = append(tasks, found[i])
		}
	}
	return tasks, retry
}

// task reads a PackageVariant; nil where there is nothing left to do.
func (c *Controller) task(ctx context.Context, at key) (*task, error) {
	var pv porchconfig.PackageVariant
	err := c.client.Get(ctx, at, &pv)
	if err == nil && !c.options.Shard.Owns(&pv) {
		c.forget(at)
		return nil, nil
	}
	if err == nil && pv.DeletionTimestamp.IsZero() {
		err = c.status.addFinalizer(ctx, &pv)
	}
	if apierrors.IsNotFound(err) || err == nil && !controllerutil.ContainsFinalizer(&pv, finalizer) {
		c.forget(at)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &task{pv: &pv}, nil
}

// report writes statuses, and returns the PackageVariants to try again.
func (c *Controller) report(ctx context.Context, tasks []*task) (retry []key) {
	errs := make([]error, len(tasks))
	workqueue.ParallelizeUntil(ctx, requestsAtATime, len(tasks), func(i int) {
		if t := tasks[i]; !apierror.IsNotReady(t.report.Err) && !t.isStarting() {
			errs[i] = c.status.report(ctx, t.pv, t.report)
		}
	})
	for i, t := range tasks {
		c.outcomes.set(t.key(), t.report.Action)
		c.invalidate(t.pv, t.report.Err)
		if errs[i] != nil && ctx.Err() == nil {
			c.options.Log.Info("status cannot be written", "namespace", t.pv.Namespace, "variant", t.pv.Name, "error", errs[i].Error())
		}
		if errs[i] != nil || apierror.IsNotReady(t.report.Err) || t.retryable() {
			retry = append(retry, t.key())
		}
	}
	return retry
}

// isStarting reports whether a controller that has just started still opens what a PackageVariant needs, which was Ready before: its status
// stays, so that no restart writes the statuses of a whole fleet twice.
func (t *task) isStarting() bool {
	return repository.IsOpening(t.report.Err) && t.pv.DeletionTimestamp.IsZero() &&
		meta.IsStatusConditionTrue(t.pv.Status.Conditions, porchconfig.ConditionReady)
}

// retryable reports whether what failed may succeed by itself. A PackageVariant that is blocked, over a budget or invalid
// waits for an event.
func (t *task) retryable() bool {
	switch t.report.Action {
	case reconciler.Blocked, reconciler.Kept, reconciler.Refused:
		return false
	}
	return t.report.Err != nil && (!t.pv.DeletionTimestamp.IsZero() || variant.Validate(t.pv) == nil)
}

// invalidate has the repositories of a PackageVariant that failed fetched before it is tried again. One that rejected a
// push as a whole is opened again: it may lack what is in memory.
func (c *Controller) invalidate(pv *porchconfig.PackageVariant, err error) {
	if err == nil || pv.Spec.Upstream == nil || pv.Spec.Downstream == nil {
		return
	}
	downstream := key{Namespace: pv.Namespace, Name: pv.Spec.Downstream.Repo}
	c.repositories.Invalidate(key{Namespace: pv.Namespace, Name: pv.Spec.Upstream.Repo})
	c.repositories.Invalidate(downstream)
	var rejected *gitrepo.RejectedError
	if errors.As(err, &rejected) && rejected.Ref == "" {
		c.repositories.Reopen(downstream)
	}
}
