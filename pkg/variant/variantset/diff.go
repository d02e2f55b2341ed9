package variantset

import (
	"cmp"
	"fmt"
	"maps"
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
	pv.Annotations = copyKeys(pv.Annotations, set.Annotations, waybill.ExceedBudgetAnnotation)
}

// Belongs reports whether a set made a variant: it has the set's label and no other controller.
func Belongs(pv *porchconfig.PackageVariant, set *v1alpha2.PackageVariantSet) bool {
	controller := metav1.GetControllerOfNoCopy(pv)
	return pv.Namespace == set.Namespace && pv.Labels[Label] == ownerLabel(set) && (controller == nil || controller.UID == set.UID)
}

// copyLabels gives a variant the labels of these keys that its set has, and removes those that the set lacks.
func copyLabels(set *v1alpha2.PackageVariantSet, pv *porchconfig.PackageVariant, keys []string) {
	pv.Labels = copyKeys(pv.Labels, set.Labels, keys...)
}

// copyKeys gives to, which may be nil, the values of these keys that from has, and removes those that from lacks.
func copyKeys(to, from map[string]string, keys ...string) map[string]string {
	for _, k := range keys {
		value, has := from[k]
		switch {
		case !has:
			delete(to, k)
		case to == nil:
			to = map[string]string{k: value}
		default:
			to[k] = value
		}
	}
	return to
}

// differ plans what makes the variants of a set as it wants them.
type differ struct {
	plan   *Plan
	set    *v1alpha2.PackageVariantSet
	copied []string // keys of labels
}

// diff compares the existing variants with the wanted ones, which are sorted by name. A
// variant is the same if it has the same name or, whatever its name, the same downstream; of the rest, the
// wanted ones are created and the others deleted.
func (p *Plan) diff(set *v1alpha2.PackageVariantSet, state *State, wanted []*porchconfig.PackageVariant) error {
	have := map[string]*porchconfig.PackageVariant{}
	for _, w := range wanted {
		copyLabels(set, w, state.CopiedLabels)
	}
	for i := range state.Variants {
		pv := &state.Variants[i]
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
	d := differ{p, set, state.CopiedLabels}
	rest := d.match(have, wanted, func(w *porchconfig.PackageVariant) string { return w.Name })
	byDownstream := downstreams(have)
	p.Create = d.match(have, rest, func(w *porchconfig.PackageVariant) string { return byDownstream[*w.Spec.Downstream] })
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
func (d *differ) match(have map[string]*porchconfig.PackageVariant, wanted []*porchconfig.PackageVariant,
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
			d.plan.Waiting = append(d.plan.Waiting, w.Name)
		default:
			d.update(pv, w)
		}
		delete(have, name)
	}
	return rest
}

// update plans a change of the spec, of the override of budgets and of copied labels, where there is one. Porch always writes.
func (d *differ) update(pv, wanted *porchconfig.PackageVariant) {
	changed := pv.DeepCopy()
	changed.Spec = wanted.Spec
	copyOverride(d.set, changed)
	copyLabels(d.set, changed, d.copied)
	if maps.Equal(pv.Annotations, changed.Annotations) && maps.Equal(pv.Labels, changed.Labels) &&
		equality.Semantic.DeepEqual(&pv.Spec, &changed.Spec) {
		return
	}
	d.plan.Update = append(d.plan.Update, changed)
}
