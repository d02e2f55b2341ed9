package publishedresource

import (
	"cmp"
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// lastWrite is how long the controller has, when it stops, to store what it applied.
const lastWrite = 5 * time.Second

// maxTime bounds how long one primary is reconciled at a time, so that a server that does not answer delays others no
// longer.
const maxTime = 2 * time.Minute

// maxRounds bounds the rounds of one primary in a row.
const maxRounds = 20

// errUnstable means that every round changes something.
var errUnstable = errors.New("it still changes after many rounds; the controller tries again later")

// reconcile reconciles one primary until there is nothing to do, or something fails.
func (p *pass) reconcile(ctx context.Context, key string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	l := p.planned[key]
	if l == nil {
		if l, err = p.newPrimary(ctx, key); err != nil {
			return err
		}
	}
	r := l.next
	for range maxRounds {
		if l.source() == nil && !p.gone.Has(key) {
			p.memory.forget(key)
			return nil
		}
		if r == nil {
			if r, err = l.plan(ctx); err != nil {
				return err
			}
		}
		p.memory.relevance.Record(key, r, l.relevantKeys(r))
		changed, err := l.execute(ctx, r)
		if err != nil {
			return err
		}
		if !changed {
			return l.finish(ctx, r)
		}
		r = nil
	}
	return errUnstable
}

// finish reports what is wrong with a primary for which there is nothing to do.
func (p *primary) finish(ctx context.Context, r *apisync.Round) error {
	if p.pass.gone.Has(p.key) && p.source() == nil && len(p.copies().ByIndex(relevance.ByOwner, p.key)) == 0 {
		return p.deleteState(ctx)
	}
	if fault := r.Fault(); fault != "" {
		return errors.New(live.OneLine(fault))
	}
	return nil
}

// execute does what a round says, in its order, and reports whether that was anything.
func (p *primary) execute(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	for _, step := range []func(context.Context, *apisync.Round) (bool, error){
		p.addFinalizers, p.runOperations, p.writeStatuses, p.writeAnnotations, p.removeFinalizer,
	} {
		did, err := step(ctx, r)
		worked = worked || did
		if err != nil {
			return worked, err
		}
	}
	return worked, ctx.Err()
}

// addFinalizers adds the finalizer to objects that are to have copies.
func (p *primary) addFinalizers(ctx context.Context, r *apisync.Round) (bool, error) {
	for _, o := range r.AddFinalizers {
		c := p.prepared.cacheFor(applyset.Ref{Place: p.server.Name, ID: o.ID()})
		if c == nil {
			continue
		}
		if err := p.pass.setFinalizer(ctx, c, o, true); err != nil {
			return true, describe("add the finalizer to "+o.ID().String(), o.ID(), err)
		}
		if c.Resource == p.prepared.remote {
			p.server.recordEvent(o, eventAccepted, "it is kept in sync from now on")
		}
	}
	return len(r.AddFinalizers) > 0, nil
}

// runOperations does operations, and stores what was applied by those that succeeded.
func (p *primary) runOperations(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	for _, ref := range r.Namespaces {
		if err := p.createNamespace(ctx, ref); err != nil {
			return true, describe("create the namespace "+ref.Name, ref.ID, err)
		}
	}
	p.changed = false
	var failed error
	for _, a := range applyset.Execute(ctx, r.Operations, p.apply) {
		failed = moreSevere(failed, a.Err)
	}
	if ctx.Err() != nil { // the next leader has to know what was written
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
		defer cancel()
		return true, cmp.Or(p.saveState(last), ctx.Err())
	}
	worked = p.changed || p.applied.Changed
	return worked, moreSevere(failed, p.saveState(ctx))
}

// moreSevere is the first error that is more than a conflict, or else a conflict.
func moreSevere(first, second error) error {
	if first == nil || second != nil && errors.Is(first, live.ErrConflict) {
		return second
	}
	return first
}

// createNamespace creates a namespace for copies unless it exists.
func (p *primary) createNamespace(ctx context.Context, ref applyset.Ref) error {
	in := p.pass.worker.controller.server(ref.Place).core.Namespaces()
	_, err := in.Get(ctx, ref.Name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ref.Name}}
	_, err = in.Create(ctx, namespace, metav1.CreateOptions{FieldManager: live.FieldManager})
	return client.IgnoreAlreadyExists(err)
}

// removeFinalizer removes the finalizer from the primary, once nothing is left of it. What was last applied is deleted
// before, as nothing would look for it afterwards. The pass releases related objects, as it sees all primaries.
func (p *primary) removeFinalizer(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	if len(r.RemoveFinalizers) > 0 {
		if err := cmp.Or(p.pass.cacheErr(""), p.pass.cacheErr(p.server.Name)); err != nil { // objects that the caches lack may exist
			return false, err
		}
	}
	for _, o := range r.RemoveFinalizers {
		if !o.Is(p.prepared.remoteGK.Group, p.prepared.remoteGK.Kind) {
			continue
		}
		if err := p.deleteState(ctx); err != nil {
			return true, err
		}
		if err := p.pass.setFinalizer(ctx, p.prepared.cache(p.server.Name, p.prepared.remote), o, false); err != nil {
			return true, describe("remove the finalizer from "+p.key, o.ID(), err)
		}
		p.server.recordEvent(o, eventDeleted, "nothing is left of it")
		worked = true
	}
	return worked, nil
}
