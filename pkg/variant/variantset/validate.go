package variantset

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
)

// validate returns everything that is wrong with a set or, for each target, its label selector; nil
// for a target that selects by name.
func validate(set *v1alpha2.PackageVariantSet) ([]labels.Selector, error) {
	all := new(porchconfig.ValidationError)
	if err := set.Validate(); err != nil {
		var known *porchconfig.ValidationError
		if !errors.As(err, &known) {
			return nil, err
		}
		all.Messages = append(all.Messages, known.Messages...)
	}
	selectors := make([]labels.Selector, len(set.Spec.Targets))
	for i := range set.Spec.Targets {
		var faults field.ErrorList
		selectors[i], faults = selectorOf(&set.Spec.Targets[i], field.NewPath("spec", "targets").Index(i))
		for _, fault := range faults {
			all.Messages = append(all.Messages, fault.Error())
		}
	}
	for _, fault := range validation.IsValidLabelValue(ownerLabel(set)) {
		all.Messages = append(all.Messages, fmt.Sprintf("the name of a set without a uid must be a label value, and %q is not: %s",
			ownerLabel(set), fault))
	}
	if len(all.Messages) > 0 {
		return nil, all
	}
	return selectors, nil
}

func selectorOf(t *v1alpha2.Target, at *field.Path) (labels.Selector, field.ErrorList) {
	var s *metav1.LabelSelector
	switch {
	case t.RepositorySelector != nil:
		s, at = t.RepositorySelector, at.Child("repositorySelector")
	case t.ObjectSelector != nil:
		s, at = &t.ObjectSelector.LabelSelector, at.Child("objectSelector")
	default:
		return nil, nil
	}
	return control.CompileSelector(s, at)
}
