package budget

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Unmatched says that the selector of b selects none of the PackageVariants of its namespace, which have those labels, and
// what is similar. It is "" where b selects one, may select none, or has a selector that is not valid.
func Unmatched(b *waybill.ChangeBudget, variants []labels.Set) string {
	s, err := b.Selector()
	allowed, fault := selection.Allowed(b.Annotations)
	if err != nil || allowed || selection.Matches(s, variants) {
		return ""
	}
	text := fmt.Sprintf("spec.selector matches no PackageVariant: %s%s", selection.Text(s), selection.Near(s, variants))
	switch {
	case len(variants) == 0:
		return fmt.Sprintf(
			"there is no PackageVariant in namespace %q, so the budget has no effect; correct metadata.namespace, or remove the budget",
			b.Namespace)
	case fault != nil:
		return text + "; " + fault.Error()
	}
	return text + "; it applies to the whole namespace; " + selection.HowToAllow
}
