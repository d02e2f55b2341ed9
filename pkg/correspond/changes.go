package correspond

import (
	"errors"
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// change is what is to be done to one object.
type change struct {
	action Action
	reason Reason
	ref    Ref
	old    *item
	object *krm.Object // what it becomes; nil for a deletion
	file   string      // of a new object
	last   []byte      // what was last applied
	state  []byte      // what is once it is done
	inItem bool        // the state goes into an item, or the ledger
	quiet  bool        // it is as it should be; only its state is not, which is told by Keep
	lost   bool        // nobody knows what was last applied
	// adopted says that the object was there before it became an output.
	adopted bool
}

// planChanges finds what is to be done for every group that wants something.
func (r *planner) planChanges() {
	for _, g := range r.groups {
		if g.frozen {
			continue
		}
		for _, d := range g.desired {
			c, err := r.compare(g, d)
			var about *objectError
			switch {
			case errors.As(err, &about):
				r.fail(g, about.object, about.err)
			case err != nil:
				r.fail(g, g.Input, err)
			case g.frozen: // it has to wait
			case c != nil:
				g.changes = append(g.changes, *c)
			}
			if g.frozen {
				break
			}
		}
	}
	for _, g := range r.groups { // once it is known who gets what
		if !g.frozen {
			r.planRemovals(g)
		}
	}
}

// objectError is an error about one existing object.
type objectError struct {
	object *krm.Object
	err    error
}

func (b *objectError) Error() string { return b.err.Error() }

// compare compares what is wanted with what there is. No change means that it is as it should be.
func (r *planner) compare(g *group, d desired) (*change, error) {
	it := r.byRef[d.ref]
	if it == nil {
		w, err := r.newTarget(g, d, nil, ReasonNew)
		if err != nil {
			return nil, err
		}
		return w.newObject(), nil
	}
	if it.next != nil {
		return nil, duplicateError(it)
	}
	reason, err := r.checkOwnership(g, it)
	if err != nil {
		return nil, &objectError{it.object, err}
	}
	if isDeleting(it.object) {
		r.wait(g, d.ref.String()+" to be gone, which is being deleted")
		return nil, nil
	}
	w, err := r.newTarget(g, d, it, reason)
	if err != nil {
		return nil, err
	}
	c := w.diff()
	return c, g.validate(c)
}

// duplicateError says that it is not the only item that is its object.
func duplicateError(it *item) error {
	var all []*krm.Object
	for ; it != nil; it = it.next {
		all = append(all, it.object)
	}
	slices.SortFunc(all, CompareCopies)
	return &objectError{all[1], fmt.Errorf("%s is there twice, also as %s; remove one", all[1].ID(), all[0].Describe())}
}

// validate asks the edge about a change of an existing object.
func (g *group) validate(c *change) error {
	if c == nil || c.action == ActionKeep || g.edge.Validate == nil {
		return nil
	}
	err := g.edge.Validate(&g.Group, c.old.object, c.object)
	if err == nil {
		return nil
	}
	return validationError(c.old.object, err)
}

// validationError says of which object a validation's error is.
func validationError(o *krm.Object, err error) error {
	var at *field.Error
	if errors.As(err, &at) { // the place is in the output
		return &objectError{o, err}
	}
	return &objectError{o, fmt.Errorf("%s: %w", o.ID(), err)}
}

// planRemovals finds what is to be done about outputs that a group no longer wants.
func (r *planner) planRemovals(g *group) {
	wants := make(map[Ref]bool, len(g.desired))
	for _, d := range g.desired {
		wants[d.ref] = true
	}
	for _, it := range g.observed {
		if wants[it.ref] || r.isTakenOver(it.ref, g) {
			continue
		}
		c := change{ref: it.ref, old: it, object: it.object, action: ActionKeep, last: r.lastKnown(g, it)}
		switch {
		case g.kept[it.ref]:
			c.reason = g.keepReason()
		case r.refusesType(g, it):
			c.reason = ReasonRefused
		case it.tags.MapKey != g.MapKey && !g.edge.AnnotationsAlone:
			c.reason = ReasonBadTags
		case isDeleting(it.object):
			c.reason = ReasonDeleting
		case g.outcome.orphans || it.object.Annotation(KeepAnnotation) == "true":
			c.action, c.reason, c.object = ActionOrphan, g.removalReason(), g.edge.withoutTags(it.object, g)
		case !g.edge.DeleteAdopted && r.adoptionOf(g, it) != "":
			c.action, c.reason, c.object, c.adopted = ActionOrphan, g.removalReason(), g.edge.withoutTags(it.object, g), true
		default:
			c.action, c.reason, c.object = ActionDelete, g.removalReason(), nil
		}
		g.changes = append(g.changes, c)
	}
}

// refusesType reports whether an output stays because its type was taken from the edge, and says so: the hook that
// no longer gives it had no choice.
func (r *planner) refusesType(g *group, it *item) bool {
	gk, e := groupKind(it.ref.ID), g.edge
	if e.AllowEmpty || e.OutputTypes == nil || slices.Contains(e.OutputTypes, gk) {
		return false
	}
	if why := fmt.Sprintf("%s is no output type any more", gk); !e.refused[why] {
		e.refused[why] = true
		r.reportEdge(e, sdk.Error, ReasonRefused, "%s, but there are outputs of it; they stay unless allowEmpty is set", why)
	}
	return true
}

// isTakenOver reports whether another group gets an object that g had.
func (r *planner) isTakenOver(ref Ref, g *group) bool {
	for _, other := range r.requestedBy[ref] {
		if other != g && !other.frozen {
			return true
		}
	}
	return false
}

func (g *group) keepReason() Reason {
	if g.hasInput {
		return ReasonKept
	}
	return ReasonTombstone
}

func (g *group) removalReason() Reason {
	if g.hasInput {
		return ReasonNotDesired
	}
	return g.Detached
}
