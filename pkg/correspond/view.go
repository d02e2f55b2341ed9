package correspond

import "github.com/waybill-dev/waybill/pkg/krm"

// View is what one run sees.
type View struct {
	// Items are all objects there are: inputs, owners, earlier outputs and whatever else, in any order.
	// None of them is changed.
	Items []*krm.Object
	// Ref says which object an item is; nil: its ID as written, in no place in particular. Give one
	// where a missing namespace means a certain one, or where two sides share one list.
	Ref func(*krm.Object) Ref
	// Live says that this is no file tree: every output gets a controller reference to its owner where
	// that has a uid and namespaces permit it, unless its Projection already made one, or it was adopted.
	Live bool
	// MayBe says whether an item may be an output at all, whatever its tags say; nil: every item may. Where strangers write
	// items, tags prove nothing.
	MayBe func(*krm.Object) bool
	// LastKnown is a ledger of what was last applied, for runs that keep it outside of the items. Where
	// there is one, what does not go into an annotation is read from it alone and no state item is
	// written: whoever carries out an Operation then stores its State. It returns nil for not known.
	LastKnown func(controller, owner, edge string, output Ref) []byte
}

// Ref says which object is meant: an identity, and in which of several places.
type Ref struct {
	// Place tells sides, clusters or workspaces apart; "" where there is but one.
	Place string
	krm.ID
}

// String is the canonical key: "<place>|" if there is one, then group/Kind/namespace/name.
func (r Ref) String() string { return KeyIn(r.Place, r.ID) }

func (v *View) ref(o *krm.Object) Ref {
	if v.Ref == nil {
		return Ref{ID: o.ID()}
	}
	return v.Ref(o)
}
