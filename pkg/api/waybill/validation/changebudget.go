package validation

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// ChangeBudget lists the faults of a budget.
func ChangeBudget(b *waybill.ChangeBudget) (errs field.ErrorList) {
	at := field.NewPath("spec")
	if b.Spec.Selector != nil {
		errs = metav1.ValidateLabelSelector(b.Spec.Selector, metav1.LabelSelectorValidationOptions{}, at.Child("selector"))
	}
	limited := false
	for _, limit := range []struct {
		name string
		most *int32
	}{{"maxClusters", b.Spec.MaxClusters}, {"maxObjects", b.Spec.MaxObjects}, {"maxDeletions", b.Spec.MaxDeletions}} {
		if limited = limited || limit.most != nil; limit.most != nil && *limit.most < 0 {
			errs = append(errs, field.Invalid(at.Child(limit.name), *limit.most, "must be 0 or more"))
		}
	}
	if !limited {
		errs = append(errs, field.Required(at, "it limits nothing: set maxClusters, maxObjects or maxDeletions"))
	}
	return errs
}
