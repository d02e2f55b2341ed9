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
		controller := true
		pv.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: v1alpha2.APIVersion, Kind: v1alpha2.KindPackageVariantSet, Name: set.Name, UID: set.UID, Controller: &controller,
		}}
	}
	passOn(set, pv)
	return pv
}

// passOn gives a variant the set's word on budgets, and takes it away when the set has none: what
// was allowed once is not allowed forever.
func passOn(set *v1alpha2.PackageVariantSet, pv *porchconfig.PackageVariant) {
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

// settle compares the variants there are with those that are wanted, which are sorted by name. A
// variant is known by its name or, whatever its name, by its downstream; of what is left, the
// wanted ones are made and the others deleted.
func (p *Plan) settle(set *v1alpha2.PackageVariantSet, existing []porchconfig.PackageVariant, wanted []*porchconfig.PackageVariant) error {
	have := map[string]*porchconfig.PackageVariant{}
	for i := range existing {
		switch pv := &existing[i]; {
		case Belongs(pv, set):
			have[pv.Name] = pv
		case pv.Namespace == set.Namespace && isAmong(wanted, pv.Name):
			return fmt.Errorf("the PackageVariant %q is in the way: the set wants one of this name and did not make it", pv.Name)
		}
	}
	rest := p.keep(set, have, wanted, func(w *porchconfig.PackageVariant) string { return w.Name })
	byDownstream := downstreams(have)
	rest = p.keep(set, have, rest, func(w *porchconfig.PackageVariant) string { return byDownstream[*w.Spec.Downstream] })
	p.Create = rest
	for _, pv := range have {
		if pv.DeletionTimestamp.IsZero() {
			p.Delete = append(p.Delete, pv.DeepCopy())
		}
	}
	slices.SortFunc(p.Delete, byNames)
	slices.SortFunc(p.Update, byNames)
	slices.Sort(p.Waiting)
	return nil
}

// isAmong looks a name up in variants that are sorted by name.
func isAmong(list []*porchconfig.PackageVariant, name string) bool {
	_, found := slices.BinarySearchFunc(list, name,
		func(pv *porchconfig.PackageVariant, name string) int { return cmp.Compare(pv.Name, name) })
	return found
}

func byNames(a, b *porchconfig.PackageVariant) int { return cmp.Compare(a.Name, b.Name) }

// downstreams says what the variant of a downstream is called, the first by name if there are many.
func downstreams(have map[string]*porchconfig.PackageVariant) map[porchconfig.Downstream]string {
	names := map[porchconfig.Downstream]string{}
	for name, pv := range have {
		if d := pv.Spec.Downstream; d != nil && (names[*d] == "" || name < names[*d]) {
			names[*d] = name
		}
	}
	return names
}

// keep takes out of have what match finds for the wanted ones, plans its changes, and returns those
// wanted ones that it finds nothing for.
func (p *Plan) keep(
	set *v1alpha2.PackageVariantSet, have map[string]*porchconfig.PackageVariant, wanted []*porchconfig.PackageVariant,
	match func(*porchconfig.PackageVariant) string,
) (rest []*porchconfig.PackageVariant) {
	for _, w := range wanted {
		name := match(w)
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

// update plans a change of spec and of the word on budgets, where there is one. Porch writes in any
// case.
func (p *Plan) update(set *v1alpha2.PackageVariantSet, pv, wanted *porchconfig.PackageVariant) {
	reason, may := set.Annotations[waybill.ExceedBudgetAnnotation]
	had, might := pv.Annotations[waybill.ExceedBudgetAnnotation]
	if reason == had && may == might && equality.Semantic.DeepEqual(&wanted.Spec, &pv.Spec) {
		return
	}
	changed := pv.DeepCopy()
	changed.Spec = wanted.Spec
	passOn(set, changed)
	p.Update = append(p.Update, changed)
}
