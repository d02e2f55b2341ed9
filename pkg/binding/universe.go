package binding

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
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
	digest          string     // once somebody asked
	// nodes are Bindings' entries, by the flags they ask for, once somebody asked.
	nodes map[[3]bool]*yaml.Node
}

// newUniverse collects the workload among items.
func (r *resolver) newUniverse(items []*krm.Object) *universe {
	u := &universe{}
	for _, o := range items {
		if workload.IsWorkload(o) && r.resources.Selectable(o) {
			u.entries = append(u.entries, r.newEntry(o))
		}
	}
	slices.SortFunc(u.entries, compareEntries)
	r.reportTwice(u.entries)
	u.linkTypes()
	u.linkNamespaces()
	for _, e := range u.entries {
		r.reportNamespace(e)
	}
	return u
}

// reportNamespace tells when an object does not live where it says.
func (r *resolver) reportNamespace(e *entry) {
	at := field.NewPath("metadata", "namespace")
	switch said := e.object.Namespace(); said {
	case e.namespace:
	case "":
		r.report(sdk.Info, e.object, at, "names no namespace; treated as in namespace %q", e.namespace)
	default:
		r.report(sdk.Warning, e.object, at, "the kind is cluster-scoped, so namespace %q means nothing; remove it", said)
	}
}

func (r *resolver) newEntry(o *krm.Object) *entry {
	res := r.resources.Of(o)
	e := &entry{
		object: o, group: o.Group(), version: o.Version(), resource: res.Plural, known: res.Known, told: r.resources.Told(o),
		namespace: r.resources.NamespaceOf(o), name: o.Name(), labels: liveLabels(o),
	}
	e.gvr = e.group + "/" + e.version + ", Resource=" + e.resource
	return e
}

// reportTwice reports objects that are one object to an API server, whatever their versions.
func (r *resolver) reportTwice(entries []*entry) {
	type identity struct{ group, resource, namespace, name string }
	first := make(map[identity]*entry, len(entries))
	for _, e := range entries {
		id := identity{e.group, e.resource, e.namespace, e.name}
		switch old := first[id]; {
		case old == nil:
			first[id] = e
		case old.version != e.version:
			r.report(sdk.Error, e.object, field.NewPath("apiVersion"),
				"the same object is given in versions %s and %s, also by %s; keep one", old.version, e.version, old.object.Describe())
		default:
			r.report(sdk.Error, e.object, field.NewPath("metadata", "name"),
				"the same object is given twice, also by %s; keep one", old.object.Describe())
		}
	}
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

// digestOf is the version of an object in Bindings, computed at most once.
func (r *resolver) digestOf(e *entry) string {
	if e.digest == "" {
		e.digest = transform.Digest(e.object, e.namespace, e.group, e.resource, r.transforms)
	}
	return e.digest
}
