package binding

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// warnUnknownKinds warns once for each kind whose plural is unknown and that some clause could
// mean: with a wrong guess objects would silently not ship.
func (r *resolver) warnUnknownKinds(items []*krm.Object) {
	warned, earlier := map[schema.GroupResource]bool{}, r.earlierObjects(items)
	for _, e := range r.candidates.All {
		kind := schema.GroupResource{Group: e.Group, Resource: e.Object.Kind()}
		if r.refuseReplaced(e, earlier) || e.Known || warned[kind] || !r.couldSelect(e) {
			continue
		}
		warned[kind] = true
		r.warnUnknownKind(e, kind)
	}
}

func (r *resolver) warnUnknownKind(e *match.Candidate, kind schema.GroupResource) {
	name := kind.String()
	r.report(sdk.Warning, e.Object, field.NewPath("kind"), "kind %s is unknown: its plural is taken to be %q, "+
		"its scope what its objects say; "+
		"add its CustomResourceDefinition to the package (local-config is enough), or set the option resources: "+
		"%s=<plural>,<Cluster or Namespaced>",
		name, e.Resource, name)
}

func (r *resolver) couldSelect(e *match.Candidate) bool {
	other := r.candidates.InOtherScope(e)
	for _, p := range r.policies {
		for _, c := range p.Clauses {
			if c.MatchesGroup(e.Group) && r.couldMean(c, e) && (c.MatchesObject(e) || c.MatchesObject(other)) {
				return true
			}
		}
	}
	return false
}

// couldMean reports whether the resources of a clause could mean e, whose plural is a guess.
func (r *resolver) couldMean(c *match.Clause, e *match.Candidate) bool {
	for word := range c.Resources {
		if r.resources.CouldMean(word, e.Group, e.Object.Kind(), c.Group == nil) || r.meansNothingElse(e.Group, word) {
			return true
		}
	}
	return c.Resources == nil
}

// meansNothingElse reports whether a plural is known in a group and no object has its kind: the user who
// declared it may have misspelt the kind.
func (r *resolver) meansNothingElse(group, plural string) bool {
	return r.resources.KnowsResource(group, plural) && !slices.ContainsFunc(r.candidates.All, func(e *match.Candidate) bool {
		return e.Known && e.Group == group && e.Resource == plural
	})
}
