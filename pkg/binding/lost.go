package binding

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// boundEarlier is what the Bindings name that this function generated for policies that still exist, and those of it that do not
// exist any more, by name.
type boundEarlier struct {
	all  map[workload.Entry]bool
	lost map[string][]workload.Entry
}

func (r *resolver) boundEarlier(items []*krm.Object) boundEarlier {
	earlier := boundEarlier{all: map[workload.Entry]bool{}, lost: map[string][]workload.Entry{}}
	for _, o := range items {
		isGenerated := o.Annotation(fn.GeneratedBy) == Name && o.Is(control.Group, control.KindBinding)
		if !isGenerated || !slices.ContainsFunc(r.policies, func(p *match.Policy) bool { return p.Name == o.Name() }) {
			continue
		}
		for _, n := range append(entries(o, "workload", "clusterScope"), entries(o, "workload", "namespaceScope")...) {
			text := func(field string) string {
				if v := krm.Lookup(krm.Deref(n), field); v != nil {
					return v.Value
				}
				return ""
			}
			earlier.all[workload.Entry{Group: text("group"), Resource: text("resource"), Namespace: text("namespace"), Name: text("name")}] = true
		}
	}
	lost := maps.Clone(earlier.all)
	for _, e := range r.universe.All {
		delete(lost, e.Entry)
	}
	for o := range lost {
		earlier.lost[o.Name] = append(earlier.lost[o.Name], o)
	}
	return earlier
}

// refuseLost refuses an object that was not bound before, and is likely one that was and does not exist any more: it has the name
// of that one, and lost its namespace or has an unknown kind that is nearly the same. It reports whether it did.
func (r *resolver) refuseLost(e *match.Candidate, earlier boundEarlier) bool {
	if earlier.all[e.Entry] {
		return false
	}
	lost := slices.SortedFunc(slices.Values(earlier.lost[e.Name]), func(a, b workload.Entry) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	})
	for _, o := range lost {
		if !r.wouldSelect(e, o) {
			continue
		}
		switch {
		case lostNamespace(e, o):
			r.report(sdk.Error, e.Object, field.NewPath("metadata", "namespace"), "names no namespace, and the one of this name in namespace "+
				"%q was selected before, which would be deleted: name the namespace, %q if that is meant", o.Namespace, workload.DefaultNamespace)
			return true
		case r.lostKind(e, o):
			r.report(sdk.Error, e.Object, field.NewPath("kind"), "kind %s of group %q is unknown, and one of %s of group %q with this name was "+
				"selected before, which would be deleted: correct kind and apiVersion, or add its CustomResourceDefinition to the package "+
				"(local-config is enough), or name it in the option resources", e.Object.Kind(), e.Group, o.Resource, o.Group)
			return true
		}
	}
	return false
}

// wouldSelect reports whether a policy would select e if it were in the place and of the type of o.
func (r *resolver) wouldSelect(e *match.Candidate, o workload.Entry) bool {
	there := r.universe.In(e, o.Namespace)
	return slices.ContainsFunc(r.policies, func(p *match.Policy) bool {
		return slices.ContainsFunc(p.Clauses, func(c *match.Clause) bool {
			return c.MatchesType(schema.GroupResource{Group: o.Group, Resource: o.Resource}) && c.MatchesObject(there)
		})
	})
}

// lostNamespace reports whether e is of the type of o, and names no namespace.
func lostNamespace(e *match.Candidate, o workload.Entry) bool {
	isClustered := e.Known && e.Namespace == ""
	return o.Namespace != "" && e.Object.Namespace() == "" && !isClustered && o.Group == e.Group && o.Resource == e.Resource
}

// lostKind reports whether e is where o was, and has an unknown kind that is nearly that of o: a slip away or cut short in the same
// group, or the same kind in a group that is nearly the same or none of a project.
func (r *resolver) lostKind(e *match.Candidate, o workload.Entry) bool {
	if e.Known || o.Namespace != e.Namespace && e.Object.Namespace() != "" {
		return false
	}
	if o.Group != e.Group { // one without a dot is no project's
		return o.Resource == e.Resource && (!strings.Contains(e.Group, ".") || selection.Misspelt(e.Group, o.Group))
	}
	const shortest = 3
	kind := strings.ToLower(e.Object.Kind())
	isShort := len(kind) >= shortest && strings.HasPrefix(o.Resource, kind) && r.resources.KnowsResource(o.Group, o.Resource)
	return isShort || selection.Misspelt(strings.ToLower(e.Resource), o.Resource)
}
