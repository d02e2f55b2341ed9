package match

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Candidates is everything that can be selected, in the order of a Binding: objects without a
// namespace, then those with one, each sorted.
type Candidates struct {
	All    []*Candidate
	types  []schema.GroupResource
	spaces map[string]labels.Set // of namespaces

	resources, names map[string]bool // that some entry has
}

// Candidate is one object that can be selected. It is made once and shared by all policies.
type Candidate struct {
	Object *krm.Object
	typ    int // index into universe.types
	Index  int // index into universe.entries
	workload.Entry
	Version     string
	Known       bool       // whether the kind is
	Told        string     // what the option or a Binding says about it, when nothing else does
	Labels      labels.Set // of the object, as live ones have them
	spaceLabels labels.Set // of its namespace; nil when it has none
	gvr         string     // as Bindings are sorted by it
}

// NewCandidates collects the workload among items.
func NewCandidates(items []*krm.Object, resources *workload.Resources) *Candidates {
	u := &Candidates{}
	for _, o := range items {
		if workload.IsWorkload(o) && resources.Selectable(o) {
			u.All = append(u.All, newEntry(o, resources))
		}
	}
	slices.SortFunc(u.All, compareEntries)
	u.linkTypes()
	u.linkNamespaces()
	return u
}

// In is e as it would be in another namespace.
func (u *Candidates) In(e *Candidate, namespace string) *Candidate {
	there := *e
	there.Namespace, there.spaceLabels = namespace, u.labelsOf(namespace)
	return &there
}

func newEntry(o *krm.Object, resources *workload.Resources) *Candidate {
	res := resources.Of(o)
	e := &Candidate{
		Object: o, Entry: workload.Entry{Group: o.Group(), Resource: res.Plural, Namespace: resources.NamespaceOf(o), Name: o.Name()},
		Version: o.Version(), Known: res.Known, Told: resources.Told(o),
		Labels: liveLabels(o),
	}
	e.gvr = e.Group + "/" + e.Version + ", Resource=" + e.Resource
	return e
}

// linkTypes numbers entries and types, and notes what they are called.
func (u *Candidates) linkTypes() {
	number := map[schema.GroupResource]int{}
	u.resources, u.names = map[string]bool{}, map[string]bool{}
	for i, e := range u.All {
		t := schema.GroupResource{Group: e.Group, Resource: e.Resource}
		n, ok := number[t]
		if !ok {
			n = len(u.types)
			number[t], u.types = n, append(u.types, t)
		}
		e.typ, e.Index = n, i
		u.resources[e.Resource], u.names[e.Name] = true, true
	}
}

// InOtherScope is e where it would live if its kind, whose scope nobody knows, had the scope that e
// does not suggest: in namespace default when it names none, nowhere when it names one.
func (u *Candidates) InOtherScope(e *Candidate) *Candidate {
	if e.Namespace == "" {
		return u.In(e, workload.DefaultNamespace)
	}
	return u.In(e, "")
}
