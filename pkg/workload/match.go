package workload

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Entry is what a Binding calls an object. Namespace is "" for a cluster-scoped one.
type Entry struct{ Group, Resource, Namespace, Name string }

// Found is what an entry may mean.
type Found struct {
	Objects []*krm.Object
	// TakenAs says why there is none, when there would be but for another entry: the resource by
	// which that one names it.
	TakenAs string
}

// Match says, for every entry of all Bindings together, which of the workload among items it may
// mean: none, one, or several between which nobody can decide. Objects whose kind has the plural of the entry, known
// or guessed, are it. Only where there is none, and no known kind has that plural, an object of a kind that nobody
// taught may be: the Binding says that it has that plural, and its author may know. But no object is taken for what
// it is not called that an entry calls by its own name, and none is taken for two resources: the
// entry that comes first has it.
func (r *Resources) Match(items []*krm.Object, entries []Entry) map[Entry]Found {
	m := matcher{r, map[Entry][]*krm.Object{}, map[*krm.Object]string{}, map[Entry]Found{}}
	for _, o := range items {
		if IsWorkload(o) {
			key := Entry{Group: o.Group(), Name: o.Name()}
			m.byName[key] = append(m.byName[key], o)
		}
	}
	for _, e := range entries {
		m.matchExactly(e)
	}
	for _, e := range entries {
		m.matchUnknown(e)
	}
	return m.found
}

type matcher struct {
	kinds  *Resources
	byName map[Entry][]*krm.Object
	taken  map[*krm.Object]string // by which resource
	found  map[Entry]Found
}

// candidates are the objects of e's group and name that pass and may live where it says.
func (m matcher) candidates(e Entry, pass func(*krm.Object, Resource) bool) (out []*krm.Object) {
	for _, o := range m.byName[Entry{Group: e.Group, Name: e.Name}] {
		if kind := m.kinds.Of(o); pass(o, kind) && m.kinds.mayLiveIn(o, kind, e.Namespace) {
			out = append(out, o)
		}
	}
	return out
}

func (m matcher) matchExactly(e Entry) {
	found := m.candidates(e, func(_ *krm.Object, kind Resource) bool { return kind.Plural == e.Resource })
	if len(found) == 0 {
		return
	}
	m.found[e] = Found{Objects: found}
	for _, o := range found {
		m.taken[o] = e.Resource
	}
}

func (m matcher) matchUnknown(e Entry) {
	if len(m.found[e].Objects) > 0 {
		return
	}
	meant := m.kinds.KnowsResource(e.Group, e.Resource) // whether it is there or not; but a template may make it
	mayBe := func(o *krm.Object, kind Resource) bool {
		return !kind.Known && (!meant || strings.Contains(o.Kind(), "{{"))
	}
	var f Found
	for _, o := range m.candidates(e, mayBe) {
		if resource, taken := m.taken[o]; taken && resource != e.Resource {
			f.TakenAs = resource
		} else {
			f.Objects = append(f.Objects, o)
		}
	}
	if len(f.Objects) > 0 {
		f.TakenAs = ""
	}
	if len(f.Objects) == 1 {
		m.taken[f.Objects[0]] = e.Resource
	}
	m.found[e] = f
}

// mayLiveIn reports whether o may be in that namespace, "" for cluster-scoped objects. Of a kind of
// unknown scope the Binding knows better: one that it holds to be cluster-scoped is, whatever
// namespace o was given, and one without a namespace may be in that of the default.
func (r *Resources) mayLiveIn(o *krm.Object, kind Resource, namespace string) bool {
	if !kind.Known && (namespace == "" || o.Namespace() == "") {
		return namespace == "" || namespace == DefaultNamespace
	}
	return r.NamespaceOf(o) == namespace
}
