package binding

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// universe is everything that can be selected, in the order of a Binding: objects without a
// namespace, then those with one, each sorted.
type universe struct {
	entries []*entry
	types   []objectType
	spaces  map[string]labels.Set // of namespaces

	resources, names map[string]bool // that some entry has
}

// objectType is a kind of objects as clauses name it.
type objectType struct{ group, resource string }

// entry is one object that can be selected. It is made once and shared by all policies.
type entry struct {
	object          *krm.Object
	typ             int // index into universe.types
	index           int // index into universe.entries
	group, version  string
	resource        string
	namespace, name string
	known           bool       // whether the kind is
	told            string     // what the option or a Binding says about it, when nothing else does
	labels          labels.Set // of the object, as live ones have them
	spaceLabels     labels.Set // of its namespace; nil when it has none
	gvr             string     // as Bindings are sorted by it
}

// newUniverse collects the workload among items.
func newUniverse(items []*krm.Object, resources *workload.Resources) *universe {
	u := &universe{}
	for _, o := range items {
		if workload.IsWorkload(o) && resources.Selectable(o) {
			u.entries = append(u.entries, newEntry(o, resources))
		}
	}
	slices.SortFunc(u.entries, compareEntries)
	u.linkTypes()
	u.linkNamespaces()
	return u
}

// in is e as it would be in another namespace.
func (u *universe) in(e *entry, namespace string) *entry {
	there := *e
	there.namespace, there.spaceLabels = namespace, u.labelsOf(namespace)
	return &there
}

func newEntry(o *krm.Object, resources *workload.Resources) *entry {
	res := resources.Of(o)
	e := &entry{
		object: o, group: o.Group(), version: o.Version(), resource: res.Plural, known: res.Known, told: resources.Told(o),
		namespace: resources.NamespaceOf(o), name: o.Name(), labels: liveLabels(o),
	}
	e.gvr = e.group + "/" + e.version + ", Resource=" + e.resource
	return e
}

// linkTypes numbers entries and types, and notes what they are called.
func (u *universe) linkTypes() {
	number := map[objectType]int{}
	u.resources, u.names = map[string]bool{}, map[string]bool{}
	for i, e := range u.entries {
		t := objectType{e.group, e.resource}
		n, ok := number[t]
		if !ok {
			n = len(u.types)
			number[t], u.types = n, append(u.types, t)
		}
		e.typ, e.index = n, i
		u.resources[e.resource], u.names[e.name] = true, true
	}
}

// inOtherScope is e where it would live if its kind, whose scope nobody knows, had the scope that e
// does not suggest: in namespace default when it names none, nowhere when it names one.
func (u *universe) inOtherScope(e *entry) *entry {
	if e.namespace == "" {
		return u.in(e, workload.DefaultNamespace)
	}
	return u.in(e, "")
}
