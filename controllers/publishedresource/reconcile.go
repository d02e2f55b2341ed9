package publishedresource

import (
	"cmp"
	"context"
	"errors"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// lastWrite is how long the controller has, when it stops, to store what it applied.
const lastWrite = 5 * time.Second

// maxTime bounds how long one primary is reconciled at a time, so that a server that does not answer holds up no others for
// longer.
const maxTime = 2 * time.Minute

// maxRounds bounds the rounds of one primary in a row.
const maxRounds = 20

// errRestless means that every round changes something.
var errRestless = errors.New("it goes on changing; it is looked at again later")

// reconcile reconciles one primary until there is nothing to do, or something is in the way.
func (p *pass) reconcile(ctx context.Context, t task) (err error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	l, planned := t.primary, t.round
	if l == nil {
		if l, err = p.newPrimary(ctx, t.key); err != nil {
			return err
		}
	}
	for range maxRounds {
		if l.source() == nil && !l.gone {
			p.memory.drop(t.key)
			return nil
		}
		r := planned
		if planned = nil; r == nil {
			if r, err = l.round(ctx, l.rule()); err != nil {
				return err
			}
		}
		p.memory.note(t.key, r)
		p.memory.setRelevant(t.key, l.relevantKeys(r))
		changed, err := l.execute(ctx, r)
		if err != nil {
			return err
		}
		if !changed {
			return l.finish(ctx, r)
		}
	}
	return errRestless
}

// rule is the one that counts: where the source has no place for a status, none is written back.
func (l *primary) rule() *apisync.Rule {
	if l.pass.hasStatus(l.server, l.prepared.remote) {
		return l.prepared.rule
	}
	return l.prepared.quiet
}

// finish reports what is wrong with a primary for which there is nothing to do.
func (l *primary) finish(ctx context.Context, r *apisync.Round) error {
	if o := l.source(); l.gone && len(l.prepared.cache("", l.prepared.local).ByIndex(byOwner, l.key)) == 0 && o == nil {
		return l.deleteState(ctx)
	}
	for _, res := range r.Results {
		if res.Severity == sdk.Error {
			return errors.New(live.OneLine(res.Message))
		}
	}
	if len(r.Waiting) > 0 {
		return errors.New(live.OneLine(r.Waiting[0]))
	}
	return nil
}

// execute does what a round says, in its order, and reports whether that was anything.
func (l *primary) execute(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	for _, step := range []func(context.Context, *apisync.Round) (bool, error){
		l.addFinalizers, l.runOperations, l.writeStatuses, l.annotate, l.removeFinalizer,
	} {
		did, err := step(ctx, r)
		worked = worked || did
		if err != nil {
			return worked, err
		}
	}
	return worked, ctx.Err()
}

// addFinalizers puts the finalizer on objects that are to have copies.
func (l *primary) addFinalizers(ctx context.Context, r *apisync.Round) (bool, error) {
	for _, o := range r.AddFinalizers {
		k, is := l.resourceOf(applyset.Ref{Place: l.server.Name, ID: o.ID()})
		if !is {
			continue
		}
		if err := l.pass.setFinalizer(ctx, l.prepared.cache(l.server.Name, k), o, true); err != nil {
			return true, l.describe("put the finalizer on "+o.ID().String(), o.ID(), err)
		}
		if k == l.prepared.remote {
			l.server.event(o, eventAccepted, "it is kept in sync from now on")
		}
	}
	return len(r.AddFinalizers) > 0, nil
}

// runOperations does operations, and stores what was applied by those that succeeded.
func (l *primary) runOperations(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	for _, ref := range r.Namespaces {
		if err := l.makeNamespace(ctx, ref); err != nil {
			return true, l.describe("make the namespace "+ref.Name, ref.ID, err)
		}
	}
	l.changed = false
	var faults []error
	for _, a := range applyset.Execute(ctx, r.Operations, l.apply) {
		if a.Err != nil {
			faults = append(faults, a.Err)
		}
	}
	if ctx.Err() != nil { // the next leader has to know what was written
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
		defer cancel()
		return true, cmp.Or(l.save(last), ctx.Err())
	}
	worked = l.changed || l.applied.changed
	faults = append(faults, l.save(ctx))
	return worked, firstError(faults)
}

// firstError is the first error that is more than a conflict, or else a conflict.
func firstError(faults []error) (err error) {
	for _, f := range faults {
		if f != nil && (err == nil || errors.Is(err, live.ErrConflict)) {
			err = f
		}
	}
	return err
}

// makeNamespace creates a namespace for copies where it does not exist.
func (l *primary) makeNamespace(ctx context.Context, ref applyset.Ref) error {
	in := l.pass.worker.controller.server(ref.Place).Objects.Resource(namespaces.GroupVersionResource)
	_, err := in.Get(ctx, ref.Name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("v1")
	u.SetKind("Namespace")
	u.SetName(ref.Name)
	_, err = in.Create(ctx, u, metav1.CreateOptions{FieldManager: live.FieldManager})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// removeFinalizer takes the finalizer from the primary, once nothing is left of it. What was last applied goes first, as
// nothing would look for it afterwards. The pass releases related objects, as it sees all primaries.
func (l *primary) removeFinalizer(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	if len(r.RemoveFinalizers) > 0 {
		if err := cmp.Or(l.pass.cacheErr(""), l.pass.cacheErr(l.server.Name)); err != nil { // objects that the caches lack may exist
			return false, err
		}
	}
	for _, o := range r.RemoveFinalizers {
		if !o.Is(l.prepared.remoteGK.Group, l.prepared.remoteGK.Kind) {
			continue
		}
		if err := l.deleteState(ctx); err != nil {
			return true, err
		}
		if err := l.pass.setFinalizer(ctx, l.prepared.cache(l.server.Name, l.prepared.remote), o, false); err != nil {
			return true, l.describe("take the finalizer from "+l.key, o.ID(), err)
		}
		l.server.event(o, eventDeleted, "nothing is left of it")
		worked = true
	}
	return worked, nil
}
