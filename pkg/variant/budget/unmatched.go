package budget

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Unmatched says that the selector of b selects none of the PackageVariants of its namespace, which have those labels, and
// what comes near. It is "" where b selects one, may select none, or has a selector that cannot be understood.
func Unmatched(b *waybill.ChangeBudget, variants []labels.Set) string {
	s, err := b.Selector()
	allowed, fault := selection.Allowed(b.Annotations)
	if err != nil || allowed || selection.Matches(s, variants) {
		return ""
	}
	text := fmt.Sprintf("spec.selector matches no PackageVariant: %s%s", selection.Text(s), selection.Near(s, variants))
	switch {
	case len(variants) == 0:
		return fmt.Sprintf("there is no PackageVariant in namespace %q, so it guards nothing; correct metadata.namespace, or remove the budget",
			b.Namespace)
	case fault != nil:
		return text + "; " + fault.Error()
	}
	return text + "; it is held against all of the namespace; " + selection.HowToAllow
}

// unmatched are the budgets that select none of the variants of their namespaces, pending ones included, and why.
func unmatched(budgets []waybill.ChangeBudget, pending []Pending, variants map[string][]labels.Set) map[*waybill.ChangeBudget]string {
	all := map[string][]labels.Set{}
	for namespace, sets := range variants {
		all[namespace] = append(all[namespace], sets...)
	}
	for i := range pending {
		p := &pending[i]
		all[p.Namespace] = append(all[p.Namespace], p.Labels)
	}
	out := map[*waybill.ChangeBudget]string{}
	for i := range budgets {
		if sets := all[budgets[i].Namespace]; len(sets) == 0 {
			continue // nothing changes there
		} else if why := Unmatched(&budgets[i], sets); why != "" {
			out[&budgets[i]] = why
		}
	}
	return out
}
