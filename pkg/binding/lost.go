package binding

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// boundObject is an object as Bindings name it.
type boundObject struct{ group, resource, namespace, name string }

// boundEarlier is what the Bindings name that this function generated for policies that still exist, and those of it that do not
// exist any more, by name.
type boundEarlier struct {
	all  map[boundObject]bool
	lost map[string][]boundObject
}

func (r *resolver) boundEarlier(items []*krm.Object) boundEarlier {
	earlier := boundEarlier{all: map[boundObject]bool{}, lost: map[string][]boundObject{}}
	for _, o := range items {
		isGenerated := o.Annotation(fn.GeneratedBy) == Name && o.Is(control.Group, control.KindBinding)
		if !isGenerated || !slices.ContainsFunc(r.policies, func(p *policy) bool { return p.Name == o.Name() }) {
			continue
		}
		for _, n := range append(entries(o, "workload", "clusterScope"), entries(o, "workload", "namespaceScope")...) {
			text := func(field string) string {
				if v := krm.Lookup(krm.Deref(n), field); v != nil {
					return v.Value
				}
				return ""
			}
			earlier.all[boundObject{text("group"), text("resource"), text("namespace"), text("name")}] = true
		}
	}
	lost := maps.Clone(earlier.all)
	for _, e := range r.universe.entries {
		delete(lost, identityOf(e))
	}
	for o := range lost {
		earlier.lost[o.name] = append(earlier.lost[o.name], o)
	}
	return earlier
}

func identityOf(e *entry) boundObject { return boundObject{e.group, e.resource, e.namespace, e.name} }

// refuseLost refuses an object that was not bound before, and is likely one that was and does not exist any more: it has the name
// of that one, and lost its namespace or has an unknown kind that is nearly the same. It reports whether it did.
func (r *resolver) refuseLost(e *entry, earlier boundEarlier) bool {
	if earlier.all[identityOf(e)] {
		return false
	}
	lost := slices.SortedFunc(slices.Values(earlier.lost[e.name]), func(a, b boundObject) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.group, b.group), cmp.Compare(a.resource, b.resource))
	})
	for _, o := range lost {
		if !r.wouldSelect(e, o) {
			continue
		}
		switch {
		case lostNamespace(e, o):
			r.report(sdk.Error, e.object, field.NewPath("metadata", "namespace"), "names no namespace, and the one of this name in namespace "+
				"%q was selected before, which would be deleted: name the namespace, %q if that is meant", o.namespace, workload.DefaultNamespace)
			return true
		case r.lostKind(e, o):
			r.report(sdk.Error, e.object, field.NewPath("kind"), "kind %s of group %q is unknown, and one of %s of group %q with this name was "+
				"selected before, which would be deleted: correct kind and apiVersion, or add its CustomResourceDefinition to the package "+
				"(local-config is enough), or name it in the option resources", e.object.Kind(), e.group, o.resource, o.group)
			return true
		}
	}
	return false
}

// wouldSelect reports whether a policy would select e if it were in the place and of the type of o.
func (r *resolver) wouldSelect(e *entry, o boundObject) bool {
	there := r.universe.in(e, o.namespace)
	return slices.ContainsFunc(r.policies, func(p *policy) bool {
		return slices.ContainsFunc(p.clauses, func(c *clause) bool {
			return c.matchesType(objectType{o.group, o.resource}) && c.matchesObject(there)
		})
	})
}

// lostNamespace reports whether e is of the type of o, and names no namespace.
func lostNamespace(e *entry, o boundObject) bool {
	isClustered := e.known && e.namespace == ""
	return o.namespace != "" && e.object.Namespace() == "" && !isClustered && o.group == e.group && o.resource == e.resource
}

// lostKind reports whether e is where o was, and has an unknown kind that is nearly that of o: a slip away or cut short in the same
// group, or the same kind in a group that is nearly the same or none of a project.
func (r *resolver) lostKind(e *entry, o boundObject) bool {
	if e.known || o.namespace != e.namespace && e.object.Namespace() != "" {
		return false
	}
	if o.group != e.group { // one without a dot is no project's
		return o.resource == e.resource && (!strings.Contains(e.group, ".") || selection.Misspelt(e.group, o.group))
	}
	const shortest = 3
	kind := strings.ToLower(e.object.Kind())
	isShort := len(kind) >= shortest && strings.HasPrefix(o.resource, kind) && r.resources.KnowsResource(o.group, o.resource)
	return isShort || selection.Misspelt(strings.ToLower(e.resource), o.resource)
}
