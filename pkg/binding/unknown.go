package binding

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// warnUnknownKinds warns once for each kind whose plural nobody taught and that some clause could
// mean: a wrong guess would leave objects at home without a word.
func (r *resolver) warnUnknownKinds(items []*krm.Object) {
	warned, earlier := map[objectType]bool{}, r.boundEarlier(items)
	for _, e := range r.universe.entries {
		kind := objectType{e.group, e.object.Kind()}
		if r.refuseLost(e, earlier) || e.known || warned[kind] || !r.couldSelect(e) {
			continue
		}
		warned[kind] = true
		r.warnUnknownKind(e, kind)
	}
}

func (r *resolver) warnUnknownKind(e *entry, kind objectType) {
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
