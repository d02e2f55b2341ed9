package transform

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// WarnUnknown warns of every CustomTransform whose resource is unknown and that no item has: a misspelt one would silently
// remove nothing.
func (s *Set) WarnUnknown(kinds *workload.Resources, items []*krm.Object) sdk.Results {
	return s.warnUnknown(kinds, subjectsIn(kinds, items))
}

func (s *Set) warnUnknown(kinds *workload.Resources, subjects []*subject) (warnings sdk.Results) {
	has := map[schema.GroupResource]bool{}
	for _, s := range subjects {
		has[schema.GroupResource{Group: s.object.Group(), Resource: s.resource}] = true
	}
	for key, users := range s.users {
		if has[key] || kinds.KnowsResource(key.Group, key.Resource) {
			continue
		}
		for _, o := range users {
			warnings = append(warnings, fn.NewResult(sdk.Warning, o, field.NewPath("spec", "resource"), "%s", unknown(key, subjects)))
		}
	}
	return warnings
}

// unknown is the warning for key.
func unknown(key schema.GroupResource, subjects []*subject) string {
	group := fmt.Sprintf("API group %q", key.Group)
	if key.Group == "" {
		group = "the core API group"
	}
	return fmt.Sprintf("nothing is removed: %s has no resource known as %q; give the plural in lower case, such as \"deployments\"; "+
		"for a kind of your own add its CustomResourceDefinition to the package (local-config is enough)%s",
		group, key.Resource, guesses(key.Group, subjects))
}

// guesses are the guessed plurals of the unknown kinds of a group.
func guesses(group string, subjects []*subject) string {
	var out []string
	for _, s := range subjects {
		if s.known || s.object.Group() != group {
			continue
		}
		if guess := fmt.Sprintf("%s is taken for %q", s.object.Kind(), s.resource); !slices.Contains(out, guess) {
			out = append(out, guess)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; kind " + strings.Join(out, ", ")
}
