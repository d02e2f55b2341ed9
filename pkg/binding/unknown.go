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

// warnUnknownKinds warns once for each kind whose plural nobody taught and that some clause could
// mean: a wrong guess would leave objects at home without a word.
func (r *resolver) warnUnknownKinds(items []*krm.Object) {
	warned, bound := map[objectType]bool{}, r.boundObjects(items)
	for _, e := range r.universe.entries {
		kind := objectType{e.group, e.object.Kind()}
		if e.known {
			r.refuseLostNamespace(e, bound)
			continue
		}
		if before := nearlyBound(e, bound); before != "" {
			r.report(sdk.Error, e.object, field.NewPath("kind"), "kind %s is unknown, and one of %s with this name was selected before, which "+
				"would be deleted: correct the kind, or add its CustomResourceDefinition to the package (local-config is enough)",
				kind.resource, before)
			continue
		}
		if warned[kind] || !r.couldSelect(e) {
			continue
		}
		warned[kind] = true
		name := kind.resource
		if kind.group != "" {
			name += "." + kind.group
		}
		r.report(sdk.Warning, e.object, field.NewPath("kind"), "kind %s is unknown: its plural is taken to be %q, "+
			"its scope what its objects say; "+
			"add its CustomResourceDefinition to the package (local-config is enough), or tell the option resources: "+
			"%s=<plural>,<Cluster or Namespaced>",
			name, e.resource, name)
	}
}

// boundObject is an object as Bindings name it.
type boundObject struct{ group, resource, namespace, name string }

// boundObjects are what the Bindings name that this function generated for policies that still exist, and what does not exist any
// more.
func (r *resolver) boundObjects(items []*krm.Object) map[boundObject]bool {
	out := map[boundObject]bool{}
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
			out[boundObject{text("group"), text("resource"), text("namespace"), text("name")}] = true
		}
	}
	for _, e := range r.universe.entries {
		delete(out, boundObject{e.group, e.resource, e.namespace, e.name})
	}
	return out
}

// refuseLostNamespace refuses an object that names no namespace, where one of its kind and name was selected in a namespace before
// and is not there now.
func (r *resolver) refuseLostNamespace(e *entry, bound map[boundObject]bool) {
	if e.namespace == "" || e.object.Namespace() != "" {
		return
	}
	for _, o := range slices.SortedFunc(maps.Keys(bound), func(a, b boundObject) int { return cmp.Compare(a.namespace, b.namespace) }) {
		if o.group == e.group && o.resource == e.resource && o.name == e.name && o.namespace != "" {
			r.report(sdk.Error, e.object, field.NewPath("metadata", "namespace"), "names no namespace, and the one of this name in namespace "+
				"%q was selected before, which would be deleted: name the namespace, %q if that is meant", o.namespace, workload.DefaultNamespace)
			return
		}
	}
}

// nearlyBound is the resource of one of those objects that has the place and name of e, where e's kind is unknown and nearly that
// of the object; empty where there is none.
func nearlyBound(e *entry, bound map[boundObject]bool) string {
	for o := range bound {
		sameName := o.name == e.name && (o.namespace == e.namespace || e.object.Namespace() == "")
		if sameName && o.group == e.group && selection.Misspelt(strings.ToLower(e.resource), o.resource) {
			return o.resource
		}
	}
	return ""
}

func (r *resolver) couldSelect(e *entry) bool {
	other := r.universe.inOtherScope(e)
	for _, p := range r.policies {
		for _, c := range p.clauses {
			if c.matchesGroup(e.group) && r.couldMean(c, e) && (c.matchesObject(e) || c.matchesObject(other)) {
				return true
			}
		}
	}
	return false
}

// inOtherScope is e where it would live if its kind, whose scope nobody knows, had the scope that e
// does not suggest: in namespace default when it names none, nowhere when it names one.
func (u *universe) inOtherScope(e *entry) *entry {
	other := *e
	other.namespace = ""
	if e.namespace == "" {
		other.namespace = workload.DefaultNamespace
	}
	other.spaceLabels = u.labelsOf(other.namespace)
	return &other
}

// couldMean reports whether the resources of a clause could mean e, whose plural is guessed.
func (r *resolver) couldMean(c *clause, e *entry) bool {
	for word := range c.resources {
		if r.resources.CouldMean(word, e.group, e.object.Kind(), c.group == nil) || r.meansNothingElse(e.group, word) {
			return true
		}
	}
	return c.resources == nil
}

// meansNothingElse reports whether a plural is known in a group and no object there is of its kind:
// whoever taught it may have misspelt the kind.
func (r *resolver) meansNothingElse(group, plural string) bool {
	return r.resources.KnowsResource(group, plural) && !slices.ContainsFunc(r.universe.entries, func(e *entry) bool {
		return e.known && e.group == group && e.resource == plural
	})
}
