package apisync

import (
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Side is one of two sides, or neither.
type Side int

// Sides.
const (
	Neither     Side = iota
	Source           // where consumers create primaries
	Destination      // where copies of primaries are
)

// String is the name of a side in messages.
func (s Side) String() string { return [...]string{"neither side", "source", "destination"}[s] }

// Place is where an object is: on which side and, at the source, in which cluster.
type Place struct {
	Side    Side
	Cluster string
}

// Snapshot is the input of one Round.
type Snapshot struct {
	// Items are the objects of both sides, and others, in any order. Round changes none of them.
	Items []*krm.Object
	// Place says where an item is. Required. Clusters at the source have names.
	Place func(*krm.Object) Place
	// WorkspacePath is the path of a cluster's workspace; nil: "".
	WorkspacePath func(cluster string) string
	// File names the file of a new object; nil: it has none.
	File func(at Place, id krm.ID) string

	// SystemNamespaces are more system namespaces besides those of every cluster: a consumer cannot cause reads or writes
	// there.
	SystemNamespaces []string

	// Live says that the items come from API servers: Round then uses finalizers, sets no owner references (owners do not
	// work across servers), and treats objects as deleted if Gone says so.
	Live bool
	// NoStatusBack says that the type has no status subresource at the source: no status is copied back.
	NoStatusBack bool
	// Gone reports, in a live snapshot, that a source object with that key is known not to exist.
	Gone func(key string) bool
	// FilterSelects reports, in a live snapshot with incomplete Items, whether the filter selects any source object at all.
	// Nil: the items decide.
	FilterSelects func() bool
	// LastKnown reads what was last applied from the caller's store: see applyset.View.
	LastKnown func(controller, owner, edge string, output applyset.Ref) []byte
	// AppliedCopies are the copies of a primary in the caller's store, by the primary's key. Nil: state items have them.
	AppliedCopies func(key string) []krm.ID
}

// Collection gathers the Items of a Snapshot of API servers, each once.
type Collection struct {
	items  []*krm.Object
	places map[*krm.Object]Place
	seen   map[applyset.Ref]bool
}

// Add adds objects of a cluster of the source, or of the destination for an empty name. Nil is none.
func (c *Collection) Add(cluster string, objects ...*krm.Object) {
	if c.places == nil {
		c.places, c.seen = map[*krm.Object]Place{}, map[applyset.Ref]bool{}
	}
	at := Place{Side: Destination}
	if cluster != "" {
		at = Place{Side: Source, Cluster: cluster}
	}
	for _, o := range objects {
		if o == nil {
			continue
		}
		if ref := (applyset.Ref{Place: cluster, ID: o.ID()}); !c.seen[ref] {
			c.seen[ref] = true
			c.items, c.places[o] = append(c.items, o), at
		}
	}
}

// Has reports whether an object was added.
func (c *Collection) Has(ref applyset.Ref) bool { return c.seen[ref] }

// Snapshot returns the Snapshot of what was added.
func (c *Collection) Snapshot() Snapshot {
	return Snapshot{Items: c.items, Place: func(o *krm.Object) Place { return c.places[o] }, Live: true}
}

// elsewhere is the engine's place of objects on neither side.
const elsewhere = "-"

// ref is the engine's reference to an item: at the source, its place is its cluster.
func (x *index) ref(o *krm.Object) applyset.Ref {
	if ref, known := x.refs[o]; known {
		return ref
	}
	return x.rule.RefIn(o, x.snapshot.Place(o))
}

// RefIn is the engine's reference to an object at a place.
func (r *Rule) RefIn(o *krm.Object, at Place) applyset.Ref {
	return applyset.Ref{Place: at.engineName(), ID: r.idOf(o, at.Side)}
}

// engineName is the engine's name of a place.
func (p Place) engineName() string {
	switch p.Side {
	case Source:
		return p.Cluster
	case Neither:
		return elsewhere
	}
	return ""
}
