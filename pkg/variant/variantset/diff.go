package variantset

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// What the variants of a set carry.
const (
	// Label says which set made a variant: its value is the set's uid or, without one, its name.
	Label = porchconfig.Group + "/packagevariantset"
	// Finalizer keeps a variant until its deletion policy has been carried out.
	Finalizer = porchconfig.Group + "/packagevariants"
)

func ownerLabel(set *v1alpha2.PackageVariantSet) string { return cmp.Or(string(set.UID), set.Name) }

// newVariant makes a variant of a set. An owner without a uid can not be referred to.
func newVariant(set *v1alpha2.PackageVariantSet, spec *porchconfig.PackageVariantSpec) *porchconfig.PackageVariant {
	pv := &porchconfig.PackageVariant{
		TypeMeta: metav1.TypeMeta{APIVersion: porchconfig.APIVersion, Kind: porchconfig.KindPackageVariant},
		ObjectMeta: metav1.ObjectMeta{
			Name: variantName(set.Name, spec.Downstream), Namespace: set.Namespace,
			Labels:     map[string]string{Label: ownerLabel(set)},
			Finalizers: []string{Finalizer},
		},
		Spec: *spec,
	}
	if set.UID != "" {
		SetOwner(set, pv)
	}
	copyOverride(set, pv)
	return pv
}

// SetOwner makes a variant the set's.
func SetOwner(set *v1alpha2.PackageVariantSet, pv *porchconfig.PackageVariant) {
	pv.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: v1alpha2.APIVersion, Kind: v1alpha2.KindPackageVariantSet, Name: set.Name, UID: set.UID, Controller: new(true),
	}}
}

// copyOverride copies the set's annotation that lets changes exceed budgets to a variant, and removes it when the set has none:
// what was allowed once is not allowed forever.
func copyOverride(set *v1alpha2.PackageVariantSet, pv *porchconfig.PackageVariant) {
	if reason, may := set.Annotations[waybill.ExceedBudgetAnnotation]; may {
		metav1.SetMetaDataAnnotation(&pv.ObjectMeta, waybill.ExceedBudgetAnnotation, reason)
	} else {
		delete(pv.Annotations, waybill.ExceedBudgetAnnotation)
	}
}

// Belongs reports whether a set made a variant: it has the set's label and no other controller.
func Belongs(pv *porchconfig.PackageVariant, set *v1alpha2.PackageVariantSet) bool {
	controller := metav1.GetControllerOfNoCopy(pv)
	return pv.Namespace == set.Namespace && pv.Labels[Label] == ownerLabel(set) && (controller == nil || controller.UID == set.UID)
}

// diff compares the existing variants with the wanted ones, which are sorted by name. A
// variant is the same if it has the same name or, whatever its name, the same downstream; of the rest, the
// wanted ones are created and the others deleted.
func (p *Plan) diff(set *v1alpha2.PackageVariantSet, existing []porchconfig.PackageVariant, wanted []*porchconfig.PackageVariant) error {
	have := map[string]*porchconfig.PackageVariant{}
	for i := range existing {
		pv := &existing[i]
		_, isWanted := slices.BinarySearchFunc(wanted, pv.Name, func(w *porchconfig.PackageVariant, name string) int {
			return cmp.Compare(w.Name, name)
		})
		switch {
		case Belongs(pv, set):
			have[pv.Name] = pv
		case pv.Namespace == set.Namespace && isWanted:
			return fmt.Errorf(
				"the PackageVariant %q exists already and is not of this set, which wants to create one of this name: rename or delete it", pv.Name)
		}
	}
	rest := p.match(set, have, wanted, func(w *porchconfig.PackageVariant) string { return w.Name })
	byDownstream := downstreams(have)
	p.Create = p.match(set, have, rest, func(w *porchconfig.PackageVariant) string { return byDownstream[*w.Spec.Downstream] })
	for _, pv := range have {
		if pv.DeletionTimestamp.IsZero() {
			p.Delete = append(p.Delete, pv.DeepCopy())
		}
	}
	byName := func(a, b *porchconfig.PackageVariant) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(p.Delete, byName)
	slices.SortFunc(p.Update, byName)
	slices.Sort(p.Waiting)
	return nil
}

// downstreams returns the name of the variant of each downstream, the first by name if there are several.
func downstreams(have map[string]*porchconfig.PackageVariant) map[porchconfig.Downstream]string {
	names := map[porchconfig.Downstream]string{}
	for name, pv := range have {
		if d := pv.Spec.Downstream; d != nil && (names[*d] == "" || name < names[*d]) {
			names[*d] = name
		}
	}
	return names
}

// match removes from have the variants whose names nameOf returns for the wanted ones, plans their changes, and returns the
// wanted ones that have none.
func (p *Plan) match(
	set *v1alpha2.PackageVariantSet, have map[string]*porchconfig.PackageVariant, wanted []*porchconfig.PackageVariant,
	nameOf func(wanted *porchconfig.PackageVariant) string,
) (rest []*porchconfig.PackageVariant) {
	for _, w := range wanted {
		name := nameOf(w)
		pv, found := have[name]
		switch {
		case !found:
			rest = append(rest, w)
			continue
		case !pv.DeletionTimestamp.IsZero():
			p.Waiting = append(p.Waiting, w.Name)
		default:
			p.update(set, pv, w)
		}
		delete(have, name)
	}
	return rest
}

// update plans a change of the spec and of the override of budgets, where there is one. Porch always writes.
func (p *Plan) update(set *v1alpha2.PackageVariantSet, pv, wanted *porchconfig.PackageVariant) {
	reason, may := set.Annotations[waybill.ExceedBudgetAnnotation]
	had, might := pv.Annotations[waybill.ExceedBudgetAnnotation]
	if reason == had && may == might && equality.Semantic.DeepEqual(&wanted.Spec, &pv.Spec) {
		return
	}
	changed := pv.DeepCopy()
	changed.Spec = wanted.Spec
	copyOverride(set, changed)
	p.Update = append(p.Update, changed)
}
