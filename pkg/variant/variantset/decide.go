package variantset

import (
	"errors"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
)

// problem is an error with the reason that conditions give for it.
type problem struct {
	reason string
	error
}

func (p *problem) Unwrap() error { return p.error }

// Decide returns what a set wants in a state. If anything is wrong, nothing is created, changed or
// deleted.
func Decide(set *v1alpha2.PackageVariantSet, state State) Plan {
	if !set.DeletionTimestamp.IsZero() {
		return Plan{Reason: Deleting, Message: "the PackageVariantSet is being deleted"}
	}
	plan := Plan{Reason: ReasonReconciled, Message: "package variants successfully reconciled"}
	plan.Depends = dependencies(set)
	if err := plan.fill(set, &state); err != nil {
		var known *problem
		reason := ReasonUnexpectedError
		if errors.As(err, &known) {
			reason = known.reason
		}
		return Plan{Reason: reason, Message: err.Error(), Depends: plan.Depends}
	}
	return plan
}

func (p *Plan) fill(set *v1alpha2.PackageVariantSet, state *State) error {
	selectors, err := validate(set)
	if err != nil {
		return &problem{porchconfig.ReasonValidationError, err}
	}
	upstream, err := findUpstream(set.Spec.Upstream, state.Upstream)
	if err != nil {
		return &problem{ReasonUpstreamNotFound, err}
	}
	targets, empty, err := expandTargets(set, state, selectors)
	if err != nil {
		return err
	}
	wanted, lookedUp, err := render(set, state, upstream, targets)
	p.Depends.Repositories = lookedUp
	if err == nil {
		err = p.diff(set, state, wanted)
	}
	if err == nil {
		err = p.guardDeletions(set, state, empty)
	}
	return err
}

func dependencies(set *v1alpha2.PackageVariantSet) Dependencies {
	d := Dependencies{Kinds: Kinds(set)}
	for i := range set.Spec.Targets {
		d.AllRepositories = d.AllRepositories || set.Spec.Targets[i].RepositorySelector != nil
	}
	return d
}
