package waybill

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Selector is the budget's selector over the labels of PackageVariants in its namespace: everything when the spec has
// none. Validation reports the same error.
func (b *ChangeBudget) Selector() (labels.Selector, error) {
	if b.Spec.Selector == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(b.Spec.Selector)
}

// ExceedReason reports whether an object with these annotations may exceed every budget, and the reason, on one line.
// An annotation without a reason is an error.
func ExceedReason(annotations map[string]string) (reason string, may bool, err error) {
	value, may := annotations[ExceedBudgetAnnotation]
	if !may {
		return "", false, nil
	}
	if reason = strings.Join(strings.Fields(value), " "); reason == "" {
		return "", false, field.Required(field.NewPath("metadata", "annotations").Key(ExceedBudgetAnnotation),
			"say why the budget may be exceeded")
	}
	return reason, true, nil
}
