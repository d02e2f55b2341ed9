package variant

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Conditions says how it went, as the conditions Stalled and Ready, in this order and without
// times: the same trouble twice is the same value. err is what came of carrying out the plan.
func Conditions(plan Plan, err error) []metav1.Condition {
	if plan.Kind == Invalid || plan.Kind == UpstreamMissing {
		return []metav1.Condition{
			condition(porchconfig.ConditionStalled, metav1.ConditionTrue, porchconfig.ReasonValidationError, plan.Reason),
			condition(porchconfig.ConditionReady, metav1.ConditionFalse, porchconfig.ReasonError, "invalid packagevariant object"),
		}
	}
	if err == nil {
		err = plan.Err()
	}
	ready := condition(porchconfig.ConditionReady, metav1.ConditionTrue, porchconfig.ReasonNoErrors,
		"successfully ensured downstream package variant")
	if err != nil {
		ready = condition(porchconfig.ConditionReady, metav1.ConditionFalse, porchconfig.ReasonError, err.Error())
	}
	return []metav1.Condition{
		condition(porchconfig.ConditionStalled, metav1.ConditionFalse, porchconfig.ReasonValid, "all validation checks passed"),
		ready,
	}
}

func condition(kind string, status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}
