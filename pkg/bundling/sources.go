package bundling

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// sources finds the objects that Bindings name.
type sources struct {
	kinds  *workload.Resources
	byName map[sourceKey][]*krm.Object
}

type sourceKey struct{ group, name string }

func newSources(items []*krm.Object, kinds *workload.Resources) sources {
	s := sources{kinds: kinds, byName: map[sourceKey][]*krm.Object{}}
	for _, o := range items {
		if workload.IsWorkload(o) {
			key := sourceKey{o.Group(), o.Name()}
			s.byName[key] = append(s.byName[key], o)
		}
	}
	return s
}

// find returns the one object that e names. A kind whose plural nobody taught us is taken for any
// resource: the Binding says that it has that plural, and its author may know.
func (s sources) find(e entry) (*krm.Object, error) {
	var known, guessed []*krm.Object
	for _, o := range s.byName[sourceKey{e.group, e.name}] {
		kind := s.kinds.Lookup(o.Group(), o.Kind())
		switch {
		case !s.inNamespace(o, kind, e.namespace):
		case kind.Plural == e.resource:
			known = append(known, o)
		case !kind.Known:
			guessed = append(guessed, o)
		}
	}
	if len(known) == 0 {
		known = guessed
	}
	switch {
	case len(known) == 0:
		return nil, fmt.Errorf("the package has no %s; %s", e, resolveFirst)
	case len(known) > 1:
		return nil, fmt.Errorf("the package has %d objects that are %s; remove all but one", len(known), e)
	case known[0].Version() != e.version:
		return nil, fmt.Errorf("%s has version %q in the package, not %q; %s", e, known[0].Version(), e.version, resolveFirst)
	}
	return known[0], nil
}

// resolveFirst is what a user does about a Binding that is behind its package.
const resolveFirst = "run bind-resolve before bundle-manifestwork"

// inNamespace reports whether o is in that namespace, "" for cluster-scoped objects. Of a kind of
// unknown scope the Binding knows better: one that it holds to be cluster-scoped is, whatever
// namespace o was given, and one without a namespace may be in that of the default.
func (s sources) inNamespace(o *krm.Object, kind workload.Resource, namespace string) bool {
	if !kind.Known && (namespace == "" || o.Namespace() == "") {
		return namespace == "" || namespace == "default"
	}
	return s.kinds.NamespaceOf(o) == namespace
}
