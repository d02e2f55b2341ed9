package syncing

import (
	"cmp"
	"context"
	"errors"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

// lastWrite is how long there is, at the end, to write down what was done.
const lastWrite = 5 * time.Second

// mostTime bounds how long one primary is worked at a time: a server that does not answer holds up nobody else for longer.
const mostTime = 2 * time.Minute

// mostRounds bounds how often a primary is looked at in a row.
const mostRounds = 20

// errRestless says that there is no end to what is to be done.
var errRestless = errors.New("it goes on changing; it is looked at again later")

// settle works one primary until there is nothing to do, or something is in the way.
func (p *pass) settle(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	l, err := p.newLook(ctx, key)
	if err != nil {
		return err
	}
	for range mostRounds {
		if l.source() == nil && !l.gone {
			p.memory.drop(key)
			return nil
		}
		r, err := l.round(ctx, l.rule())
		if err != nil {
			return err
		}
		p.memory.note(key, r)
		p.memory.care(key, l.caresFor(r))
		worked, err := l.carryOut(ctx, r)
		if err != nil {
			return err
		}
		if !worked {
			return l.rest(ctx, r)
		}
	}
	return errRestless
}

// rule is the one that counts: a status that has no place at the source is not written back.
func (l *look) rule() *syncing.Rule {
	if l.hasStatus(l.at, l.ready.remote) {
		return l.ready.rule
	}
	return l.ready.quiet
}

// rest is what is left to say of a primary for which there is nothing to do.
func (l *look) rest(ctx context.Context, r *syncing.Round) error {
	if o := l.source(); l.gone && len(l.ready.shelf("", l.ready.local).find(ofOwner(l.key))) == 0 && o == nil {
		return l.discard(ctx)
	}
	for _, res := range r.Results {
		if res.Severity == sdk.Error {
			return errors.New(oneLine(res.Message))
		}
	}
	if len(r.Waiting) > 0 {
		return errors.New(oneLine(r.Waiting[0]))
	}
	return nil
}

// carryOut does what a round says, in its order, and reports whether that was anything.
func (l *look) carryOut(ctx context.Context, r *syncing.Round) (worked bool, err error) {
	for _, step := range []func(context.Context, *syncing.Round) (bool, error){l.bind, l.operate, l.writeStatuses, l.notify, l.free} {
		did, err := step(ctx, r)
		worked = worked || did
		if err != nil {
			return worked, err
		}
	}
	return worked, ctx.Err()
}

// bind puts the finalizer on objects that are to have copies.
func (l *look) bind(ctx context.Context, r *syncing.Round) (bool, error) {
	for _, o := range r.AddFinalizers {
		k, is := l.kindOf(correspond.Ref{Place: l.at.name, ID: o.ID()})
		if !is {
			continue
		}
		if err := l.finalizer(ctx, l.ready.shelf(l.at.name, k), o, true); err != nil {
			return true, l.explain("put the finalizer on "+o.ID().String(), o.ID(), err)
		}
		if k == l.ready.remote {
			l.at.say(o, eventAccepted, "it is kept in sync from now on")
		}
	}
	return len(r.AddFinalizers) > 0, nil
}

// operate does operations, and stores what was applied by those that succeeded.
func (l *look) operate(ctx context.Context, r *syncing.Round) (worked bool, err error) {
	for _, ref := range r.Namespaces {
		if err := l.makeNamespace(ctx, ref); err != nil {
			return true, l.explain("make the namespace "+ref.Name, ref.ID, err)
		}
	}
	l.worked = false
	var faults []error
	for _, a := range correspond.Execute(ctx, r.Operations, l.do) {
		if a.Err != nil {
			faults = append(faults, a.Err)
		}
	}
	if ctx.Err() != nil { // what was written is to be known to whoever comes next
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
		defer cancel()
		return true, cmp.Or(l.save(last), ctx.Err())
	}
	worked = l.worked || l.ledger.changed
	faults = append(faults, l.save(ctx))
	return worked, worst(faults)
}

// worst is the first error that is more than that somebody else was faster, or that.
func worst(faults []error) (err error) {
	for _, f := range faults {
		if f != nil && (err == nil || errors.Is(err, errFaster)) {
			err = f
		}
	}
	return err
}

// makeNamespace sees to a namespace that copies are to be in.
func (l *look) makeNamespace(ctx context.Context, ref correspond.Ref) error {
	in := l.server(ref.Place).Objects.Resource(namespaces.GroupVersionResource)
	_, err := in.Get(ctx, ref.Name, metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("v1")
	u.SetKind("Namespace")
	u.SetName(ref.Name)
	_, err = in.Create(ctx, u, metav1.CreateOptions{FieldManager: manager})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// free takes the finalizer from the primary, once nothing is left of it. What was last applied goes before: nobody would
// look for it afterwards. Those of related objects are taken away by release, which sees all primaries.
func (l *look) free(ctx context.Context, r *syncing.Round) (worked bool, err error) {
	if len(r.RemoveFinalizers) > 0 {
		if err := cmp.Or(l.look(""), l.look(l.at.name)); err != nil { // what is not seen may be there
			return false, err
		}
	}
	for _, o := range r.RemoveFinalizers {
		if !o.Is(l.ready.remoteGK.Group, l.ready.remoteGK.Kind) {
			continue
		}
		if err := l.discard(ctx); err != nil {
			return true, err
		}
		if err := l.finalizer(ctx, l.ready.shelf(l.at.name, l.ready.remote), o, false); err != nil {
			return true, l.explain("take the finalizer from "+l.key, o.ID(), err)
		}
		l.at.say(o, eventDeleted, "nothing is left of it")
		worked = true
	}
	return worked, nil
}
