package variantset

import (
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Plan is what to do now. The variants in it are the caller's to change. Each list is sorted by
// name. Deletions are carried out first.
type Plan struct {
	// Reason and Message are those of the conditions.
	Reason, Message string
	// Create are variants to make, Update existing ones with what they shall be instead, Delete
	// those that are no longer wanted; their own deletion policy says what becomes of their packages.
	Create, Update, Delete []*porchconfig.PackageVariant
	// Waiting are the names of wanted variants that someone is deleting just now: they can be made
	// when they are gone.
	Waiting []string
	// Unmatched are the selectors that select nothing, each with what comes near; Message names them, too.
	Unmatched []string
	// Depends says which changes can change the plan.
	Depends Dependencies
}

// Dependencies are what a set looks at besides itself, its upstream and its variants. They are right
// for a plan that fails, too: it may fail because one of them is not there.
type Dependencies struct {
	// Kinds are the kinds that its selectors look at, in order.
	Kinds []Kind
	// Repositories are the names of Repository objects that it looked up, sorted, there or not.
	Repositories []string
	// AllRepositories is true when it selects Repository objects by label.
	AllRepositories bool
}

// Reasons of the conditions of a set, besides those of package porchconfig.
const (
	ReasonUpstreamNotFound  = "UpstreamNotFound"
	ReasonNoMatchingTargets = "NoMatchingTargets"
	ReasonUnexpectedError   = "UnexpectedError"
	ReasonReconciled        = "Reconciled"
	// ReasonDeleting is told of a set that is being deleted: there is nothing to do and no condition.
	ReasonDeleting = "Deleting"
)

// Err is what keeps the plan from doing anything, nil when it does.
func (p *Plan) Err() error {
	if p.Reason == ReasonReconciled || p.Reason == ReasonDeleting {
		return nil
	}
	return errors.New(p.Message)
}

// Conditions says how it went, as the conditions Stalled and Ready, in this order and without
// times: the same trouble twice is the same value. err is what came of carrying out the plan.
func Conditions(plan Plan, err error) []metav1.Condition {
	switch {
	case plan.Reason == ReasonDeleting:
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

// longestMessage is what an API server takes.
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
