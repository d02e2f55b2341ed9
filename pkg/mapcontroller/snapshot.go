package mapcontroller

import (
	"cmp"
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Snapshot is the input of one reconcile.
type Snapshot struct {
	// Items are parents, inputs, outputs and other objects, in any order. Run changes none of them.
	Items []*krm.Object
	// Live says that the items come from a cluster: see applyset.View. They are then complete, so that a view that is not
	// stated is complete; and outputs whose parent does not exist stay unless allowEmpty is set: the garbage collector
	// decides by how the parent was deleted.
	Live bool
	// Hold, if set, selects parents whose outputs stay as they are and for which no hook is called. It is called for
	// parents that exist and, in a live snapshot, for parents that do not.
	Hold func(parent string) bool
	// Listed, if set, says whether the items have all objects of a type, for types that a customize hook selects from.
	// While they do not, or cannot, the parent is held. Nil: they have.
	Listed func(Type) (bool, error)
	// LastKnown reads what was last applied from the caller's store: see applyset.View.
	LastKnown func(controller, owner, edge string, output applyset.Ref) []byte
	// Parallel is the number of concurrent requests. Defaults to 1.
	Parallel int
}

// namespacedObject is an object with its effective namespace.
type namespacedObject struct {
	*krm.Object
	namespace string
	labels    labels.Set // nil until needed
	labelled  bool
}

// matches reports whether a selector selects the object.
func (o *namespacedObject) matches(s labels.Selector) bool {
	if s.Empty() {
		return true
	}
	if !o.labelled {
		o.labels, o.labelled = o.Labels(), true
	}
	return s.Matches(o.labels)
}

// index holds items by type and namespace.
type index struct {
	types  Types
	byType map[schema.GroupKind]map[string][]*namespacedObject
}

func newIndex(types Types, items []*krm.Object) *index {
	x := &index{types: types, byType: map[schema.GroupKind]map[string][]*namespacedObject{}}
	for _, o := range items {
		gk := schema.GroupKind{Group: o.Group(), Kind: o.Kind()}
		if x.byType[gk] == nil {
			x.byType[gk] = map[string][]*namespacedObject{}
		}
		ns := workload.NamespaceIn(types, o)
		x.byType[gk][ns] = append(x.byType[gk][ns], &namespacedObject{Object: o, namespace: ns})
	}
	return x
}

// all are the objects of a type, sorted.
func (x *index) all(gk schema.GroupKind) (all []*namespacedObject) {
	for _, some := range x.byType[gk] {
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b *namespacedObject) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), workload.Compare(a.Object, b.Object))
	})
	return all
}

// idOf is the identity of an object, the same in files and in clusters.
func idOf(types Types, o *krm.Object) krm.ID {
	return krm.ID{Group: o.Group(), Kind: o.Kind(), Namespace: workload.NamespaceIn(types, o), Name: o.Name()}
}

// keyOf is the canonical key of a parent or an input; "" when it can have none, which is reported once.
func (p *reconciler) keyOf(o *krm.Object) string {
	id := idOf(p.c.types, o)
	key := applyset.KeyIn("", id)
	cluster, back, err := applyset.ParseKey(key)
	switch at := field.NewPath("metadata", "name"); {
	case err == nil && cluster == "" && back == id:
		return key
	case p.reportedKeyless[o]:
		return ""
	case id.Name != "":
		p.reportObject(sdk.Error, o, at, "%q has the form of another key; rename it, or its namespace", key)
	case o.String("metadata", "generateName") != "":
		p.reportObject(sdk.Warning, o, field.NewPath("metadata", "generateName"), "it has no name yet, and so no outputs")
	default:
		p.reportObject(sdk.Error, o, at, "it has no name, and so no outputs")
	}
	p.reportedKeyless[o] = true
	return ""
}

// reportObject adds a result about an object that has no key.
func (p *reconciler) reportObject(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	r := fn.NewResult(sev, o, at, "%s", "map: "+oneLine(fmt.Sprintf(format, args...)))
	p.results = append(p.results, r)
}
