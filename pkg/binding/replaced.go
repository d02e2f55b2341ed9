package binding

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// earlierObjects are the objects in earlier Bindings of policies that still exist, and, by name, those of them that no longer exist.
type earlierObjects struct {
	all     map[workload.Entry]bool
	missing map[string][]workload.Entry
}

func (r *resolver) earlierObjects(items []*krm.Object) earlierObjects {
	earlier := earlierObjects{all: map[workload.Entry]bool{}, missing: map[string][]workload.Entry{}}
	for _, o := range items {
		isGenerated := o.Annotation(fn.GeneratedBy) == Name && o.Is(control.Group, control.KindBinding)
		if !isGenerated || !slices.ContainsFunc(r.policies, func(p *match.Policy) bool { return p.Name == o.Name() }) {
			continue
		}
		for e := range boundBy(o) {
			earlier.all[e] = true
		}
	}
	missing := maps.Clone(earlier.all)
	for _, e := range r.candidates.All {
		delete(missing, e.Entry)
	}
	for o := range missing {
		earlier.missing[o.Name] = append(earlier.missing[o.Name], o)
	}
	return earlier
}

// boundBy are the objects that a Binding names.
func boundBy(o *krm.Object) sets.Set[workload.Entry] {
	out := sets.New[workload.Entry]()
	for _, n := range append(entries(o, "workload", "clusterScope"), entries(o, "workload", "namespaceScope")...) {
		text := func(field string) string {
			if v := krm.Lookup(krm.Deref(n), field); v != nil {
				return v.Value
			}
			return ""
		}
		out.Insert(workload.Entry{Group: text("group"), Resource: text("resource"), Namespace: text("namespace"), Name: text("name")})
	}
	return out
}

// refuseReplaced refuses an object that no Binding named before, and that probably is one that a Binding named and that no longer
// exists: it has the same name, and no namespace, or an unknown kind that is similar. It reports whether it did.
func (r *resolver) refuseReplaced(e *match.Candidate, earlier earlierObjects) bool {
	if earlier.all[e.Entry] {
		return false
	}
	missing := slices.SortedFunc(slices.Values(earlier.missing[e.Name]), func(a, b workload.Entry) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	})
	for _, o := range missing {
		if !r.wouldSelect(e, o) {
			continue
		}
		switch {
		case lacksNamespace(e, o):
			r.report(sdk.Error, e.Object, field.NewPath("metadata", "namespace"), "has no namespace, and the object of this name in namespace "+
				"%q was selected before and would be deleted; set the namespace (%q if you mean that)", o.Namespace, workload.DefaultNamespace)
			return true
		case r.misspeltKind(e, o):
			r.report(sdk.Error, e.Object, field.NewPath("kind"),
				"kind %s of group %q is unknown, and the object of %s of group %q with this name was "+
					"selected before and would be deleted; correct kind and apiVersion, or add its CustomResourceDefinition to the package "+
					"(local-config is enough), or name it in the option resources", e.Object.Kind(), e.Group, o.Resource, o.Group)
			return true
		}
	}
	return false
}

// wouldSelect reports whether a policy would select e with the namespace and type of o.
func (r *resolver) wouldSelect(e *match.Candidate, o workload.Entry) bool {
	there := r.candidates.In(e, o.Namespace)
	return slices.ContainsFunc(r.policies, func(p *match.Policy) bool {
		return slices.ContainsFunc(p.Clauses, func(c *match.Clause) bool {
			return c.MatchesType(schema.GroupResource{Group: o.Group, Resource: o.Resource}) && c.MatchesObject(there)
		})
	})
}

// lacksNamespace reports whether e has the type of o, and names no namespace.
func lacksNamespace(e *match.Candidate, o workload.Entry) bool {
	isClustered := e.Known && e.Namespace == ""
	return o.Namespace != "" && e.Object.Namespace() == "" && !isClustered && o.Group == e.Group && o.Resource == e.Resource
}

// misspeltKind reports whether e is in the place of o, and has an unknown kind that is similar to that of o: misspelt or shortened in the
// same group, or the same kind in a group that is misspelt or has no dot.
func (r *resolver) misspeltKind(e *match.Candidate, o workload.Entry) bool {
	if e.Known || o.Namespace != e.Namespace && e.Object.Namespace() != "" {
		return false
	}
	if o.Group != e.Group { // a group without a dot belongs to no project
		return o.Resource == e.Resource && (!strings.Contains(e.Group, ".") || selection.Misspelt(e.Group, o.Group))
	}
	const shortest = 3
	kind := strings.ToLower(e.Object.Kind())
	isShort := len(kind) >= shortest && strings.HasPrefix(o.Resource, kind) && r.resources.KnowsResource(o.Group, o.Resource)
	return isShort || selection.Misspelt(strings.ToLower(e.Resource), o.Resource)
}
