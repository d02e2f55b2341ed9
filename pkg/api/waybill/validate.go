package waybill

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ReadChangeBudget decodes a ChangeBudget strictly: an unknown field or a value of the wrong type is
// an error that names the object and every such field.
func ReadChangeBudget(o *krm.Object) (*ChangeBudget, error) {
	return porchconfig.ReadAs[ChangeBudget](o, APIVersion, KindChangeBudget)
}

// Validate lists every fault of the budget, each at its own path, in field order.
func (b *ChangeBudget) Validate() (errs field.ErrorList) {
	at := field.NewPath("spec")
	if b.Spec.Selector != nil {
		errs = validation.ValidateLabelSelector(b.Spec.Selector, validation.LabelSelectorValidationOptions{}, at.Child("selector"))
	}
	for _, limit := range []struct {
		name string
		most *int32
	}{{"maxClusters", b.Spec.MaxClusters}, {"maxObjects", b.Spec.MaxObjects}, {"maxDeletions", b.Spec.MaxDeletions}} {
		if limit.most != nil && *limit.most < 0 {
			errs = append(errs, field.Invalid(at.Child(limit.name), *limit.most, "must be 0 or more"))
		}
	}
	if b.Spec.MaxClusters == nil && b.Spec.MaxObjects == nil && b.Spec.MaxDeletions == nil {
		errs = append(errs, field.Required(at, "it limits nothing: set maxClusters, maxObjects or maxDeletions"))
	}
	return errs
}

// Selector is the budget's selector over the labels of PackageVariants in its namespace: everything
// when the spec has none. The error is one that Validate reports, too.
func (b *ChangeBudget) Selector() (labels.Selector, error) {
	if b.Spec.Selector == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(b.Spec.Selector)
}

// ExceedReason is why an object with these annotations may pass every budget, and whether it may. An
// annotation without a reason is an error: the reason is what the commits keep, on one line.
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
