package correspond

import (
	"errors"
	"fmt"
	"slices"

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

// decide finds what is to be done for every group that wants something.
func (r *run) decide() {
	for _, g := range r.groups {
		if g.settled {
			continue
		}
		for _, d := range g.desired {
			c, err := r.meet(g, d)
			var about *broken
			switch {
			case errors.As(err, &about):
				r.fail(g, about.object, about.err)
			case err != nil:
				r.fail(g, g.Input, err)
			case g.settled: // it has to wait
			case c != nil:
				g.changes = append(g.changes, *c)
			}
			if g.settled {
				break
			}
		}
	}
	for _, g := range r.groups { // once it is known who gets what
		if !g.settled {
			r.release(g)
		}
	}
}

// broken is an error about one existing object.
type broken struct {
	object *krm.Object
	err    error
}

func (b *broken) Error() string { return b.err.Error() }

// meet compares what is wanted with what there is. No change means that it is as it should be.
func (r *run) meet(g *group, d desired) (*change, error) {
	it := r.byRef[d.ref]
	if it == nil {
		w, err := r.want(g, d, nil, ReasonNew)
		if err != nil {
			return nil, err
		}
		return w.create(), nil
	}
	if it.next != nil {
		return nil, twice(it)
	}
	reason, err := r.standing(g, it)
	if err != nil {
		return nil, &broken{it.object, err}
	}
	if isDeleting(it.object) {
		r.wait(g, d.ref.String()+" to be gone, which is being deleted")
		return nil, nil
	}
	w, err := r.want(g, d, it, reason)
	if err != nil {
		return nil, err
	}
	c := w.change()
	return c, g.validate(c)
}

// twice says that it is not the only item that is its object.
func twice(it *item) error {
	var all []*krm.Object
	for ; it != nil; it = it.next {
		all = append(all, it.object)
	}
	slices.SortFunc(all, CompareCopies)
	return &broken{all[1], fmt.Errorf("%s is there twice, also as %s; remove one", all[1].ID(), all[0].Describe())}
}

// validate asks the edge about a change of an existing object.
func (g *group) validate(c *change) error {
	if c == nil || c.action == ActionKeep || g.run.Validate == nil {
		return nil
	}
	err := g.run.Validate(&g.Group, c.old.object, c.object)
	if err == nil {
		return nil
	}
	return invalid(c.old.object, err)
}

// invalid says of which object a validation's error is.
func invalid(o *krm.Object, err error) error {
	var at *field.Error
	if errors.As(err, &at) { // the place is in the output
		return &broken{o, err}
	}
	return &broken{o, fmt.Errorf("%s: %w", o.ID(), err)}
}
