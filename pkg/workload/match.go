package workload

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Entry is an object as a Binding names it. Namespace is "" for a cluster-scoped one.
type Entry struct{ Group, Resource, Namespace, Name string }

// Found are the objects that an entry may mean.
type Found struct {
	Objects []*krm.Object
	// TakenAs is why there is none, if another entry has the object: the resource by
	// which that one names it.
	TakenAs string
}

// Match finds, for every entry of all Bindings together, the workload among items that it may
// mean: none, one, or several. Objects whose kind has the plural of the entry, known or guessed, match. If there is none, and no known
// kind has that plural, an object of an unknown kind may match: the Binding says that it has that plural, and its author may
// know. But an object that an entry names by its own resource does not match another resource, and none matches two
// resources: the first entry has it.
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

// candidates are the objects of e's group and name that pass and may be in its namespace.
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
	meant := m.kinds.KnowsResource(e.Group, e.Resource) // whether the object exists or not; but a template may make it
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

// mayLiveIn reports whether o may be in that namespace, "" for cluster-scoped objects. For a kind of
// unknown scope the Binding decides: without a namespace there, the object is cluster-scoped, whatever
// its own namespace is; an object without a namespace may be in the default one.
func (r *Resources) mayLiveIn(o *krm.Object, kind Resource, namespace string) bool {
	if !kind.Known && (namespace == "" || o.Namespace() == "") {
		return namespace == "" || namespace == DefaultNamespace
	}
	return r.NamespaceOf(o) == namespace
}
