package variantset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset/expression"
)

// target is one thing to make a variant for.
type target struct {
	index     int    // in spec.targets
	name      string // for messages
	repo, pkg string // the downstream unless a template names another
	value     expression.Value
	template  *v1alpha2.PackageVariantTemplate
}

// expandTargets lists what to make variants for: the set's targets in their order, selected objects by
// name; and the selectors that select nothing.
func expandTargets(set *v1alpha2.PackageVariantSet, state *State, selectors []labels.Selector) (all []target, empty []string, err error) {
	for i := range set.Spec.Targets {
		var some []target
		switch t := &set.Spec.Targets[i]; {
		case t.ObjectSelector != nil:
			some, err = byObject(t.ObjectSelector, state, selectors[i], set)
		case t.RepositorySelector != nil:
			some = ofObjects(state.Repositories, selectors[i], "", set)
		default:
			some = byName(t.Repositories, set.Spec.Upstream.Package)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("spec.targets[%d].objectSelector: %w", i, err)
		}
		if selectors[i] != nil && len(some) == 0 {
			empty = append(empty, emptySelector(set, i, state, selectors[i]))
		}
		for j := range some {
			some[j].index, some[j].template = i, set.Spec.Targets[i].Template
		}
		all = append(all, some...)
	}
	return all, empty, nil
}

func byName(list []v1alpha2.RepositoryTarget, upstream string) (out []target) {
	for _, r := range list {
		packages := r.PackageNames
		if len(packages) == 0 {
			packages = []string{upstream}
		}
		for _, pkg := range packages {
			out = append(out, target{name: r.Name + "/" + pkg, repo: r.Name, pkg: pkg, value: expression.OfPackage(r.Name, pkg)})
		}
	}
	return out
}

// byObject is an error without a list: if a missing list counted as empty, everything that was made for the objects would be
// deleted.
func byObject(s *v1alpha2.ObjectSelector, state *State, selector labels.Selector, set *v1alpha2.PackageVariantSet) ([]target, error) {
	l := state.listing(s)
	if l == nil {
		return nil, fmt.Errorf("objects of apiVersion %q and kind %q were not listed", s.APIVersion, s.Kind)
	}
	if l.Err != nil {
		return nil, listingProblem(l.Err)
	}
	return ofObjects(l.Objects, selector, s.Name, set), nil
}

// listing returns the objects of the kind that a selector selects; nil when they were not listed.
func (s *State) listing(of *v1alpha2.ObjectSelector) *Listing {
	i := slices.IndexFunc(s.Listings, func(l Listing) bool { return l.Kind == kindOf(of) })
	if i < 0 {
		return nil
	}
	return &s.Listings[i]
}

func listingProblem(err error) error {
	var kind *meta.NoKindMatchError
	var resource *meta.NoResourceMatchError
	if errors.As(err, &kind) || errors.As(err, &resource) {
		return &problem{ReasonNoMatchingTargets, err}
	}
	return err
}

// ofObjects makes targets of those objects in the namespace of the set, or in none, that a selector
// selects. name is one name or "" for all.
func ofObjects(objects []Object, selector labels.Selector, name string, set *v1alpha2.PackageVariantSet) (out []target) {
	for _, o := range objects {
		if isHere(o, set) && (name == "" || o.Name == name) && selector.Matches(labels.Set(o.Labels)) {
			out = append(out, target{name: o.Name, repo: o.Name, pkg: set.Spec.Upstream.Package, value: expression.Of(o)})
		}
	}
	slices.SortStableFunc(out, func(a, b target) int { return cmp.Compare(a.name, b.name) })
	return out
}
