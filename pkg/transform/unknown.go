package transform

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// warnUnknown warns of every CustomTransform whose resource nobody knows and no object has: a
// misspelt one would leave in what should go, without a word.
func (t *transformer) warnUnknown() {
	has := map[groupResource]bool{}
	for _, s := range t.subjects {
		has[groupResource{s.object.Group(), s.resource}] = true
	}
	for key, users := range t.set.users {
		if has[key] || t.kinds.KnowsResource(key.group, key.resource) {
			continue
		}
		for _, o := range users {
			t.report(sdk.Warning, o, field.NewPath("spec", "resource"), "%s", t.unknown(key))
		}
	}
}

// unknown says what is wrong with key and what to do about it.
func (t *transformer) unknown(key groupResource) string {
	group := fmt.Sprintf("API group %q", key.group)
	if key.group == "" {
		group = "the core API group"
	}
	return fmt.Sprintf("nothing is removed: %s has no resource known as %q; give the plural in lower case, such as \"deployments\"; "+
		"for a kind of your own add its CustomResourceDefinition to the package (local-config is enough)%s",
		group, key.resource, t.guesses(key.group))
}

// guesses tells what the unknown kinds of a group are taken to be called.
func (t *transformer) guesses(group string) string {
	var out []string
	for _, s := range t.subjects {
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
