package match

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Candidates are all objects that a policy can select, in the order of a Binding: objects without a
// namespace, then those with one, each sorted.
type Candidates struct {
	All        []*Candidate
	types      []schema.GroupResource
	namespaces map[string]labels.Set // labels of each

	resources, names map[string]bool // that some candidate has
}

// Candidate is one object that a policy can select. It is made once and shared by all policies.
type Candidate struct {
	Object *krm.Object
	workload.Entry
	Version         string
	Index           int        // in Candidates.All
	Known           bool       // whether its kind is known
	Declared        string     // what the option or a Binding says about its kind, if nothing else does
	Labels          labels.Set // as a live object has them
	namespaceLabels labels.Set // of its namespace; nil when it has none
	typ             int        // index into Candidates.types
	gvr             string     // Bindings are sorted by it
}

// NewCandidates collects the workload among items.
func NewCandidates(items []*krm.Object, resources *workload.Resources) *Candidates {
	c := &Candidates{namespaces: map[string]labels.Set{}, resources: map[string]bool{}, names: map[string]bool{}}
	for _, o := range items {
		if workload.IsWorkload(o) && resources.Selectable(o) {
			c.All = append(c.All, newCandidate(o, resources))
		}
	}
	slices.SortFunc(c.All, compare)
	types := map[schema.GroupResource]int{}
	for i, e := range c.All {
		t := schema.GroupResource{Group: e.Group, Resource: e.Resource}
		n, ok := types[t]
		if !ok {
			n = len(c.types)
			types[t], c.types = n, append(c.types, t)
		}
		e.typ, e.Index = n, i
		c.resources[e.Resource], c.names[e.Name] = true, true
		if e.Object.Is("", "Namespace") {
			c.namespaces[e.Name] = e.Labels
		}
	}
	for _, e := range c.All {
		e.namespaceLabels = c.labelsOf(e.Namespace)
	}
	return c
}

func newCandidate(o *krm.Object, resources *workload.Resources) *Candidate {
	res := resources.Of(o)
	e := &Candidate{
		Object: o, Entry: workload.Entry{Group: o.Group(), Resource: res.Plural, Namespace: resources.NamespaceOf(o), Name: o.Name()},
		Version: o.Version(), Known: res.Known, Declared: resources.Declared(o), Labels: liveLabels(o),
	}
	e.gvr = e.Group + "/" + e.Version + ", Resource=" + e.Resource
	return e
}

// In is e as it would be in another namespace.
func (all *Candidates) In(e *Candidate, namespace string) *Candidate {
	there := *e
	there.Namespace, there.namespaceLabels = namespace, all.labelsOf(namespace)
	return &there
}

// InOtherScope is e if its kind, whose scope is unknown, had the scope that e does not suggest: in namespace default when e
// names none, in no namespace when it names one.
func (all *Candidates) InOtherScope(e *Candidate) *Candidate {
	if e.Namespace == "" {
		return all.In(e, workload.DefaultNamespace)
	}
	return all.In(e, "")
}

// namespaceLabel is the label that every live Namespace has.
const namespaceLabel = "kubernetes.io/metadata.name"

// liveLabels are the labels of o in an API server: a Namespace has a label with its name. They are for matching only;
// they do not ship, and digests do not cover them.
func liveLabels(o *krm.Object) labels.Set {
	if !o.Is("", "Namespace") {
		return o.Labels()
	}
	return labels.Merge(o.Labels(), labels.Set{namespaceLabel: o.Name()})
}

// labelsOf are the labels of a namespace, with or without a Namespace object; nil for "".
func (all *Candidates) labelsOf(namespace string) labels.Set {
	if all.namespaces[namespace] == nil && namespace != "" {
		all.namespaces[namespace] = labels.Set{namespaceLabel: namespace}
	}
	return all.namespaces[namespace]
}

// compare orders candidates as Bindings are ordered: by the joined text of namespace and name, so that
// namespace "b-c" comes before "b". The file decides only between duplicates, so that messages do not depend on the order of items.
func compare(a, b *Candidate) int {
	if clusterScoped := a.Namespace == ""; clusterScoped != (b.Namespace == "") {
		if clusterScoped {
			return -1
		}
		return 1
	}
	order := cmp.Compare(a.gvr, b.gvr)
	if order == 0 && a.Namespace == b.Namespace {
		order = cmp.Compare(a.Name, b.Name)
	} else if order == 0 {
		order = cmp.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	}
	if order == 0 {
		order = workload.Compare(a.Object, b.Object)
	}
	return order
}
