package cluster

import (
	"context"
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// task is one variant to work, as it was when the pass began, and what came of it.
type task struct {
	pv     *porchconfig.PackageVariant
	report packagevariant.Report
}

func (t *task) key() key { return keyOf(t.pv) }

func keyOf(o client.Object) key { return client.ObjectKeyFromObject(o) }

// prepare reads variants and makes sure that each stays until what it made is settled. Nothing is
// pushed for one that has no finalizer.
func (p *pass) prepare(ctx context.Context, keys []key) (again []key) {
	found, errs := make([]*task, len(keys)), make([]error, len(keys))
	each(len(keys), func(i int) { found[i], errs[i] = p.take(ctx, keys[i]) })
	for i, k := range keys {
		switch {
		case errs[i] != nil:
			p.options.Log.Info("variant cannot be taken", "namespace", k.Namespace, "variant", k.Name, "error", errs[i].Error())
			again = append(again, k)
		case found[i] != nil:
			p.work = append(p.work, found[i])
		}
	}
	return again
}

// take reads a variant and holds it. There is no task where there is nothing left to do.
func (v *variants) take(ctx context.Context, at key) (*task, error) {
	var pv porchconfig.PackageVariant
	err := v.cache.Get(ctx, at, &pv)
	if err == nil && pv.DeletionTimestamp.IsZero() {
		err = v.writer.hold(ctx, &pv)
	}
	if apierrors.IsNotFound(err) || err == nil && !controllerutil.ContainsFinalizer(&pv, finalizer) {
		v.forget(at)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &task{pv: &pv}, nil
}

// forget lets go of what is known of a variant that is no more.
func (v *variants) forget(at key) {
	v.meters.did(at, "")
	v.held.set(at, false)
	v.sources.note(at.Namespace, map[key][]packagevariant.Kind{at: nil})
}

// report writes what came of a pass, and returns the variants to be tried again.
func (p *pass) report(ctx context.Context) (again []key) {
	errs := make([]error, len(p.work))
	each(len(p.work), func(i int) {
		if t := p.work[i]; !tooEarly(t.report.Err) {
			errs[i] = p.writer.report(ctx, t.pv, t.report)
		}
	})
	for i, t := range p.work {
		p.meters.did(t.key(), t.report.Action)
		p.held.set(t.key(), t.held())
		p.doubt(t.pv, t.report.Err)
		if errs[i] != nil && ctx.Err() == nil {
			p.options.Log.Info("status cannot be written", "namespace", t.pv.Namespace, "variant", t.pv.Name, "error", errs[i].Error())
		}
		if errs[i] != nil || tooEarly(t.report.Err) || t.worthAnotherTry() {
			again = append(again, t.key())
		}
	}
	return again
}

// held reports whether a budget holds the variant back.
func (t *task) held() bool {
	var held *packagevariant.BudgetError
	return errors.As(t.report.Err, &held)
}

// worthAnotherTry reports whether what failed may go well without anybody doing anything. A variant
// that is blocked, held back by a budget or wrong in itself waits for the event.
func (t *task) worthAnotherTry() bool {
	if t.report.Err == nil || t.report.Action == packagevariant.Blocked || t.report.Action == packagevariant.Kept || t.held() {
		return false
	}
	return !t.pv.DeletionTimestamp.IsZero() || variant.Validate(t.pv) == nil
}

// doubt has the repositories of a variant that failed looked at before it is tried again. One that
// did not take a push as a whole is opened anew: it may lack what we think it has.
func (v *variants) doubt(pv *porchconfig.PackageVariant, err error) {
	if err == nil || pv.Spec.Upstream == nil || pv.Spec.Downstream == nil {
		return
	}
	downstream := key{Namespace: pv.Namespace, Name: pv.Spec.Downstream.Repo}
	v.repositories.doubt(key{Namespace: pv.Namespace, Name: pv.Spec.Upstream.Repo})
	v.repositories.doubt(downstream)
	var rejected *gitrepo.RejectedError
	if errors.As(err, &rejected) && rejected.Ref == "" {
		v.repositories.reopen(downstream)
	}
}

// side is how many requests to the API server are under way at a time.
const side = 16

// each calls f for 0 to n-1, some at a time.
func each(n int, f func(i int)) {
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, side) {
		workers.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}
