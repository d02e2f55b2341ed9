package applyset

import (
	"errors"
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// change is a planned change of one object.
type change struct {
	action Action
	reason Reason
	ref    Ref
	old    *item
	object *krm.Object // after the change; nil for a deletion
	file   string      // of a new object
	last   []byte      // what was last applied
	state  []byte      // the state to store after the change
	inItem bool        // the state is stored in an item, or by the caller
	quiet  bool        // the object is correct and only its state is stored, through a Keep operation
	lost   bool        // what was last applied is not known
	// adopted says that the object existed before it became an output.
	adopted bool
}

// planChanges plans the changes of every group that has desired outputs.
func (p *planner) planChanges() {
	for _, g := range p.groups {
		if g.frozen {
			continue
		}
		for _, d := range g.desired {
			c, about, err := p.compare(g, d)
			if err != nil {
				p.fail(g, about, err)
			}
			if g.frozen { // it failed, or waits now
				break
			}
			if c != nil {
				g.changes = append(g.changes, *c)
			}
		}
	}
	for _, g := range p.groups { // after every group has its objects
		if !g.frozen {
			p.planRemovals(g)
		}
	}
}

// compare compares a desired output with the existing object. A nil change means that the object is correct. An error is
// about the object that is returned with it.
func (p *planner) compare(g *group, d desired) (*change, *krm.Object, error) {
	it, reason := p.byRef[d.ref], ReasonNew
	if it != nil {
		if it.next != nil {
			about, err := duplicateError(it)
			return nil, about, err
		}
		var err error
		if reason, err = p.checkOwnership(g, it); err != nil {
			return nil, it.object, err
		}
		if IsDeleting(it.object) {
			p.wait(g, "the deletion of "+d.ref.String())
			return nil, nil, nil
		}
	}
	w, err := p.newTarget(g, d, it, reason)
	switch {
	case err != nil:
		return nil, g.Input, err
	case it == nil:
		return w.newObject(), nil, nil
	}
	c := w.diff()
	return c, it.object, g.validate(c)
}

// duplicateError is the error that several items are the same object, about the second of them.
func duplicateError(it *item) (*krm.Object, error) {
	var all []*krm.Object
	for ; it != nil; it = it.next {
		all = append(all, it.object)
	}
	slices.SortFunc(all, CompareCopies)
	return all[1], fmt.Errorf("%s exists twice, also as %s; remove one", all[1].ID(), all[0].Describe())
}

// validate calls the edge's Validate for a change of an existing object.
func (g *group) validate(c *change) error {
	if c == nil || c.action == ActionKeep || g.edge.Validate == nil {
		return nil
	}
	err := g.edge.Validate(&g.Group, c.old.object, c.object)
	var at *field.Error
	switch {
	case err == nil || errors.As(err, &at): // it names a field of the output
		return err
	}
	return fmt.Errorf("%s: %w", c.old.object.ID(), err)
}

// planRemovals plans what happens to outputs that a group no longer requests.
func (p *planner) planRemovals(g *group) {
	wants := make(map[Ref]bool, len(g.desired))
	for _, d := range g.desired {
		wants[d.ref] = true
	}
	for _, it := range g.observed {
		if wants[it.ref] || p.isTakenOver(it.ref, g) {
			continue
		}
		c := change{ref: it.ref, old: it, object: it.object, action: ActionKeep, last: p.lastKnown(g, it)}
		switch {
		case g.kept[it.ref]:
			c.reason = g.keepReason()
		case p.refusesType(g, it):
			c.reason = ReasonRefused
		case it.tags.MapKey != g.MapKey && !g.edge.AnnotationsAlone:
			c.reason = ReasonBadTags
		case IsDeleting(it.object):
			c.reason = ReasonDeleting
		case g.outcome.orphans || IsKept(it.object):
			c.action, c.reason, c.object = ActionOrphan, g.removalReason(), g.edge.withoutTags(it.object, g)
		case !g.edge.DeleteAdopted && p.adoptionOf(g, it) != "":
			c.action, c.reason, c.object, c.adopted = ActionOrphan, g.removalReason(), g.edge.withoutTags(it.object, g), true
		default:
			c.action, c.reason, c.object = ActionDelete, g.removalReason(), nil
		}
		g.changes = append(g.changes, c)
	}
}

// refusesType reports whether an output stays because the edge no longer has its type, and reports it: the projection could
// not return it.
func (p *planner) refusesType(g *group, it *item) bool {
	gk, e := groupKind(it.ref.ID), g.edge
	if e.AllowEmpty || e.OutputTypes == nil || slices.Contains(e.OutputTypes, gk) {
		return false
	}
	if why := fmt.Sprintf("%s is not an output type any more", gk); e.isNewRefusal(why) {
		p.reportEdge(e, sdk.Error, ReasonRefused, "", nil, "%s, but outputs of it exist; they stay unless allowEmpty is set", why)
	}
	return true
}

// isNewRefusal reports whether a refusal was not reported yet, and records it.
func (e *edgeState) isNewRefusal(why string) bool {
	reported := e.refused[why]
	e.refused[why] = true
	return !reported
}

// isTakenOver reports whether another group gets an object that g had.
func (p *planner) isTakenOver(ref Ref, g *group) bool {
	return slices.ContainsFunc(p.requestedBy[ref], func(other *group) bool { return other != g && !other.frozen })
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
