package variantset

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/internal/once"
	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

// What all expressions of a set may cost together: freeCost for every evaluation, which is far more
// than ordinary ones take, and extraCost. So the bound grows with the fleet, and a few
// expensive expressions are allowed.
const (
	freeCost  = 1_000
	extraCost = 10 * expression.MaxCost
)

var errTotalCost = fmt.Errorf("the expressions of the set cost more than %d each and %d together", freeCost, extraCost)

// rendering makes the variants of one set.
type rendering struct {
	set          *v1alpha2.PackageVariantSet
	upstream     expression.Value
	repositories map[string]expression.Value
	lookedUp     map[string]bool // names of Repositories
	programs     once.Map[string, *expression.Program]
	extra        uint64 // cost spent of extraCost
}

// render makes the variants that targets want, sorted by name, and returns which Repositories it
// looked up. It goes on after an error, so that these are all.
func render(
	set *v1alpha2.PackageVariantSet, state *State, upstream *variant.Described, targets []target,
) ([]*porchconfig.PackageVariant, []string, error) {
	r := &rendering{
		set: set, repositories: map[string]expression.Value{}, lookedUp: map[string]bool{},
		upstream: expression.Of(Object{Name: upstream.Name, Namespace: set.Namespace, Labels: upstream.Labels,
			Annotations: upstream.Annotations}),
	}
	for _, o := range state.Repositories {
		if isHere(o, set) {
			r.repositories[o.Name] = expression.Of(o)
		}
	}
	var errs []error
	wanted, of := map[porchconfig.Downstream]*porchconfig.PackageVariant{}, map[porchconfig.Downstream]*target{}
	for i := range targets {
		pv, err := r.variant(&targets[i])
		if err == nil {
			err = checkDuplicate(of[*pv.Spec.Downstream], &targets[i], wanted[*pv.Spec.Downstream], pv)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		wanted[*pv.Spec.Downstream], of[*pv.Spec.Downstream] = pv, &targets[i] // the later of two entries wins
	}
	out, err := named(slices.Collect(maps.Values(wanted)))
	return out, slices.Sorted(maps.Keys(r.lookedUp)), cmp.Or(firstOf(errs), err)
}

// checkDuplicate refuses one package for two targets of one entry of spec.targets: one would replace the other, and what was made for
// both before would be deleted. A Repository that is listed twice is one target.
func checkDuplicate(a, b *target, first, second *porchconfig.PackageVariant) error {
	if a == nil || a.index != b.index || a.name == b.name && equality.Semantic.DeepEqual(&first.Spec, &second.Spec) {
		return nil
	}
	return fmt.Errorf("spec.targets[%d] makes package %q in repo %q for %q and for %q: give each a downstream of its own",
		a.index, second.Spec.Downstream.Package, second.Spec.Downstream.Repo, a.name, b.name)
}

// firstOf is the first error, and how many more there are.
func firstOf(errs []error) error {
	if len(errs) < 2 {
		return errors.Join(errs...)
	}
	return fmt.Errorf("%w; and %d more targets fail", errs[0], len(errs)-1)
}

// named sorts by name and refuses two variants of one name: a name does not tell dashes from slashes.
func named(list []*porchconfig.PackageVariant) ([]*porchconfig.PackageVariant, error) {
	slices.SortFunc(list, func(a, b *porchconfig.PackageVariant) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Spec.Downstream.Repo, b.Spec.Downstream.Repo),
			cmp.Compare(a.Spec.Downstream.Package, b.Spec.Downstream.Package))
	})
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1], list[i]; a.Name == b.Name {
			return nil, fmt.Errorf("the variants for package %q in repo %q and for package %q in repo %q would both be called %q",
				a.Spec.Downstream.Package, a.Spec.Downstream.Repo, b.Spec.Downstream.Package, b.Spec.Downstream.Repo, a.Name)
		}
	}
	return list, nil
}

// variant makes the variant of a target. An error names the target after the text of Porch.
func (r *rendering) variant(t *target) (*porchconfig.PackageVariant, error) {
	spec, err := r.spec(t)
	if err == nil {
		err = checkName(variantName(r.set.Name, spec.Downstream), spec.Downstream)
	}
	var pv *porchconfig.PackageVariant
	if err == nil {
		pv = newVariant(r.set, spec)
		err = pv.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("%w (spec.targets[%d], %q)", err, t.index, t.name)
	}
	return pv, nil
}

// eval evaluates an expression. Each is compiled once for all targets.
func (r *rendering) eval(text string, vars *expression.Vars) (string, error) {
	program, err := r.programs.Get(text, func() (*expression.Program, error) { return expression.Compile(text) })
	if err != nil {
		return "", err
	}
	if r.extra > extraCost {
		return "", errTotalCost
	}
	result, cost, err := program.Eval(vars)
	r.extra += max(cost, freeCost) - freeCost
	return result, err
}
