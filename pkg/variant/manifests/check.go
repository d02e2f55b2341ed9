package manifests

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// checkLabels refuses labels that selectors do not see: a set would not select the object.
func checkLabels(o *krm.Object) error {
	at := field.NewPath("metadata", "labels")
	labels := map[string]string{}
	n := krm.Deref(o.Lookup("metadata", "labels"))
	if n != nil {
		if err := krm.DecodeNode(n, at, &labels); err != nil {
			return fmt.Errorf("%s: %w", describe(o), err)
		}
	}
	if faults := metav1validation.ValidateLabels(labels, at); len(faults) > 0 {
		return fmt.Errorf("%s: %w", describe(o), faults.ToAggregate())
	}
	if name := misplaced(o, n != nil); name != "" {
		return fmt.Errorf("%s: %s: nothing reads such labels; write metadata.labels", describe(o), name)
	}
	return nil
}

// misplaced returns a field that may be meant to be metadata.labels, or another field of the metadata; "" for none. A
// custom resource may have a field labels of its own.
func misplaced(o *krm.Object, labelled bool) string {
	for _, name := range slices.Sorted(maps.Keys(workload.MisspeltMetadata(o))) {
		if workload.MisspeltMetadata(o)[name] == "labels" {
			return "metadata." + name
		}
	}
	if !labelled && !workload.MayDefineFields(o) && workload.HasLabelsBesideMetadata(o) {
		return "labels"
	}
	return ""
}

// kinds are those that files are read for.
var (
	budgetKind = schema.GroupKind{Group: waybill.Group, Kind: waybill.KindChangeBudget}
	kinds      = []schema.GroupKind{
		budgetKind,
		{Group: porchconfig.Group, Kind: porchconfig.KindRepository},
		{Group: porchconfig.Group, Kind: porchconfig.KindPackageVariant},
		{Group: porchconfig.Group, Kind: v1alpha2.KindPackageVariantSet},
	}
)

// checkKind refuses an object whose kind is nearly one that files are read for: the object would be ignored. A ChangeBudget
// in another group would guard nothing.
func checkKind(o *krm.Object) error {
	is := schema.FromAPIVersionAndKind(o.APIVersion(), o.Kind())
	want := workload.Nearly(is, kinds...)
	if kind, budget := strings.ToLower(is.Kind), strings.ToLower(budgetKind.Kind); kind == budget || selection.Misspelt(kind, budget) {
		want = &budgetKind
	}
	if want == nil {
		return nil
	}
	return fmt.Errorf("nothing reads kind %s of group %q: did you mean %s of group %q? If not, leave %q out",
		is.Kind, is.Group, want.Kind, want.Group, o.Name())
}
