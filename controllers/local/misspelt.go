package local

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

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

// checkKind refuses an object whose kind is nearly one that files are read for: it would count as not there. A ChangeBudget
// is one in no other group: it would guard nothing.
func checkKind(o *krm.Object) error {
	is := schema.FromAPIVersionAndKind(o.APIVersion(), o.Kind())
	want := workload.Nearly(is, kinds...)
	if kind, budget := strings.ToLower(is.Kind), strings.ToLower(budgetKind.Kind); kind == budget || selection.Misspelt(kind, budget) {
		want = &budgetKind
	}
	if want == nil {
		return nil
	}
	return fmt.Errorf("nothing reads kind %s of group %q: is it to be %s of group %q? If not, leave %q out",
		is.Kind, is.Group, want.Kind, want.Group, o.Name())
}

// checkBudgets refuses a budget in a namespace of which there is nothing to guard, while one of the others has no budget.
func (in *Input) checkBudgets() error {
	guarded := in.namespaces()
	bare := maps.Clone(guarded)
	for _, b := range in.budgets {
		delete(bare, b.Namespace)
	}
	if len(bare) == 0 {
		return nil
	}
	for _, b := range in.budgets {
		allowed, fault := selection.Allowed(b.Annotations)
		switch {
		case guarded[b.Namespace] || allowed:
			continue
		case fault != nil:
			return fmt.Errorf("ChangeBudget %s/%s: %w", b.Namespace, b.Name, fault)
		}
		return fmt.Errorf("ChangeBudget %s/%s: there is no PackageVariant and no PackageVariantSet in namespace %q, so it guards nothing; "+
			"there are some in %s, which has no budget: correct metadata.namespace, or %s", b.Namespace, b.Name, b.Namespace,
			strings.Join(slices.Sorted(maps.Keys(bare)), ", "), selection.SetAnnotation)
	}
	return nil
}

// namespaces are those of the variants and sets.
func (in *Input) namespaces() map[string]bool {
	all := map[string]bool{}
	for _, pv := range in.Variants {
		all[pv.Namespace] = true
	}
	for _, set := range in.Sets {
		all[set.Namespace] = true
	}
	return all
}
