package syncing

import (
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Side is one of two, or neither.
type Side int

// Sides.
const (
	Neither     Side = iota
	Source           // where consumers make primaries
	Destination      // where copies of primaries are
)

// String is what people call a side.
func (s Side) String() string { return [...]string{"neither side", "source", "destination"}[s] }

// Place says where an object is: on which side and, at the source, in which cluster.
type Place struct {
	Side    Side
	Cluster string
}

// Snapshot is what one Round sees.
type Snapshot struct {
	// Items are the objects of both sides, and whatever else there is, in any order. None is changed.
	Items []*krm.Object
	// Place says where an item is. Required. A cluster at the source has a name.
	Place func(*krm.Object) Place
	// WorkspacePath is what people call a cluster; nil: "".
	WorkspacePath func(cluster string) string
	// File names the file of a new object; nil: it has none.
	File func(at Place, id krm.ID) string

	// SystemNamespaces are namespaces of the system besides those that every cluster has: nothing is read or written there
	// because a consumer says so.
	SystemNamespaces []string

	// Live says that the items are API servers': finalizers are put and heeded, references to owners are not
	// (nothing owns across servers), and what Gone says is gone.
	Live bool
	// Gone reports, in a live world, that a source object with that key is known not to exist.
	Gone func(key string) bool
	// FilterSelects reports, in a live world whose Items are not all there are, whether the filter selects any source
	// object at all. Nil: the items tell.
	FilterSelects func() bool
	// LastKnown is a ledger of what was last applied: see correspond.View.
	LastKnown func(controller, owner, edge string, output correspond.Ref) []byte
	// AppliedCopies are the copies of a primary that the ledger knows, by the primary's key. Nil: state items tell.
	AppliedCopies func(key string) []krm.ID
}

// elsewhere is the place, to the engine, of what is on neither side.
const elsewhere = "-"

// ref is what an item is to the engine: at the source, its place is its cluster.
func (x *index) ref(o *krm.Object) correspond.Ref {
	if ref, known := x.refs[o]; known {
		return ref
	}
	return x.rule.refIn(o, x.snapshot.Place(o))
}

// refIn is ref for an object at a place.
func (r *Rule) refIn(o *krm.Object, at Place) correspond.Ref {
	ref := correspond.Ref{ID: r.idOf(o, at.Side)}
	switch at.Side {
	case Source:
		ref.Place = at.Cluster
	case Neither:
		ref.Place = elsewhere
	}
	return ref
}
