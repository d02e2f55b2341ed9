package variantset

import (
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Plan is what to do now. The caller may change the variants in it. Each list is sorted by name.
type Plan struct {
	// Reason and Message are those of the conditions.
	Reason, Message string
	// Create are variants to create, Update existing ones with their new content, Delete
	// those that are no longer wanted; their own deletion policy says what happens to their packages.
	Create, Update, Delete []*porchconfig.PackageVariant
	// Waiting are the names of wanted variants that are being deleted: they can be created
	// after that.
	Waiting []string
	// Unmatched are the selectors that select nothing, each with what is similar; Message names them, too.
	Unmatched []string
	// Depends says which changes can change the plan.
	Depends Dependencies
}

// Dependencies are what a set depends on besides itself, its upstream and its variants. They are correct
// for a plan that fails, too: it may fail because one of them does not exist.
type Dependencies struct {
	// Kinds are the kinds that its selectors select, in order.
	Kinds []Kind
	// Repositories are the names of Repository objects that it looked up, sorted, whether they exist or not.
	Repositories []string
	// AllRepositories is true when it selects Repository objects by label.
	AllRepositories bool
}

// Reasons of the conditions of a set, besides those of package porchconfig.
const (
	// ReasonUpstreamNotFound: there is no such upstream revision, or no such Repository.
	ReasonUpstreamNotFound = "UpstreamNotFound"
	// ReasonNoMatchingTargets: the targets select nothing.
	ReasonNoMatchingTargets = "NoMatchingTargets"
	// ReasonUnexpectedError: the variants could not be changed; the message says why.
	ReasonUnexpectedError = "UnexpectedError"
	// ReasonReconciled: the variants are as in the spec.
	ReasonReconciled = "Reconciled"
)

// Deleting is the Reason of the Plan of a set that is being deleted: there is nothing to do, and there are no conditions.
const Deleting = "Deleting"

// Err is what keeps the plan from doing anything, nil when it does.
func (p *Plan) Err() error {
	if p.Reason == ReasonReconciled || p.Reason == Deleting {
		return nil
	}
	return errors.New(p.Message)
}

// Conditions returns the conditions Stalled and Ready of a plan, in this order and without
// times: the same failure twice is the same value. err is the error of executing the plan.
func Conditions(plan Plan, err error) []metav1.Condition {
	switch {
	case plan.Reason == Deleting:
		return nil
	case plan.Err() != nil:
		return failing(plan.Reason, plan.Message)
	case err != nil:
		return failing(ReasonUnexpectedError, err.Error())
	}
	return []metav1.Condition{
		{Type: porchconfig.ConditionStalled, Status: metav1.ConditionFalse, Reason: porchconfig.ReasonValid,
			Message: "all validation checks passed"},
		{Type: porchconfig.ConditionReady, Status: metav1.ConditionTrue, Reason: plan.Reason, Message: plan.Message},
	}
}

// longestMessage is what an API server accepts.
const longestMessage = 32768

func failing(reason, message string) []metav1.Condition {
	if len(message) > longestMessage {
		message = strings.ToValidUTF8(message[:longestMessage-3], "") + "..."
	}
	return []metav1.Condition{
		{Type: porchconfig.ConditionStalled, Status: metav1.ConditionTrue, Reason: reason, Message: message},
		{Type: porchconfig.ConditionReady, Status: metav1.ConditionFalse, Reason: reason, Message: message},
	}
}
