package variantset

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// isHere reports whether a set can select an object: it is in the set's namespace, or in none.
func isHere(o Object, set *v1alpha2.PackageVariantSet) bool {
	return o.Namespace == "" || o.Namespace == set.Namespace
}

// emptySelector says that the selector of a target selects nothing, and what is similar.
func emptySelector(set *v1alpha2.PackageVariantSet, i int, state *State, selector labels.Selector) string {
	at, kind, name, objects := field.NewPath("spec", "targets").Index(i), "Repository", "", state.Repositories
	if s := set.Spec.Targets[i].ObjectSelector; s == nil {
		at = at.Child("repositorySelector")
	} else {
		at, kind, name, objects = at.Child("objectSelector"), s.Kind, s.Name, state.listing(s).Objects
	}
	var sets []labels.Set // of the object of that name or, without a name, of all
	var names []string
	for _, o := range objects {
		if isHere(o, set) {
			names = append(names, o.Name)
			if name == "" || o.Name == name {
				sets = append(sets, o.Labels)
			}
		}
	}
	var asks []string
	near := selection.Near(selector, sets)
	if name != "" {
		asks = append(asks, fmt.Sprintf("name %q", name))
		if similar := nearTo(name, names); len(sets) == 0 && similar != "" {
			near = similar
		}
	}
	if text := selection.Text(selector); text != "" {
		asks = append(asks, text)
	}
	if len(names) == 0 {
		near = "; there is none"
	}
	return fmt.Sprintf("%s matches no %s: %s%s", at, kind, strings.Join(asks, ", "), near)
}

// absent says which Repositories new variants name that do not exist, and what is similar. Only targets without a
// template may name such a Repository: their variants wait for it.
func (p *Plan) absent(set *v1alpha2.PackageVariantSet, state *State) (out []string) {
	var names []string
	for _, o := range state.Repositories {
		if isHere(o, set) {
			names = append(names, o.Name)
		}
	}
	for _, pv := range p.Create {
		if repo := pv.Spec.Downstream.Repo; !slices.Contains(names, repo) {
			out = append(out, fmt.Sprintf("spec.targets names Repository %q, which does not exist%s", repo, nearTo(repo, names)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func nearTo(name string, names []string) string {
	if similar := selection.Similar(name, names); len(similar) > 0 {
		return "; similar: " + strings.Join(similar, " or ")
	}
	return ""
}

// guardDeletions refuses to delete variants while a selector of the set selects nothing or a Repository that it names is absent, unless
// that is allowed: nothing says which target a variant was made for, and a misspelt label or name looks like a fleet that was
// deleted. Where nothing would be deleted, the message says which selector selects nothing.
func (p *Plan) guardDeletions(set *v1alpha2.PackageVariantSet, state *State, empty []string) error {
	if len(p.Delete) > 0 {
		empty = slices.Concat(empty, p.absent(set, state))
	}
	allowed, fault := selection.Allowed(set.Annotations)
	switch {
	case fault != nil:
		return &problem{porchconfig.ReasonValidationError, fault}
	case len(empty) == 0:
		return nil
	case len(p.Delete) > 0 && !allowed:
		return &problem{ReasonNoMatchingTargets, fmt.Errorf("%s, and %s would be deleted (first %q); %s",
			strings.Join(empty, "; "), selection.Count(len(p.Delete), "variant"), p.Delete[0].Name, selection.HowToAllow)}
	}
	p.Unmatched = empty
	p.Message += "; " + strings.Join(empty, "; ")
	return nil
}
