package variant

import (
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Conditions returns the conditions Stalled and Ready of a plan, in this order and without
// times: the same failure twice is the same value. err is the error of executing the plan.
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

// PackageConditions returns the conditions that describe a package by what its root Kptfile says: ConfigInjected of a package
// with injection points, ReadinessGatesMet of one with readiness gates.
func PackageConditions(tree pkgtree.Tree) (out []metav1.Condition, err error) {
	f, err := RootKptfile(tree)
	if err != nil {
		return nil, err
	}
	for _, c := range []*metav1.Condition{injectionCondition(f), gatesCondition(f)} {
		if c != nil {
			out = append(out, *c)
		}
	}
	return out, nil
}

// injectionCondition says whether the required injection points have their objects; nil without injection points.
func injectionCondition(f *kptfile.File) *metav1.Condition {
	points, required := 0, f.ReadinessGates()
	var missing []string
	for _, c := range f.Conditions() {
		if !strings.HasPrefix(c.Type, injection.ConditionPrefix) {
			continue
		}
		points++
		if c.Status != kptfilev1.ConditionTrue && slices.Contains(required, c.Type) {
			missing = append(missing, fmt.Sprintf("%s: %s", c.Type, c.Message))
		}
	}
	if points == 0 {
		return nil
	}
	c := condition(porchconfig.ConditionConfigInjected, metav1.ConditionTrue, porchconfig.ReasonInjected,
		"every required injection point has its object")
	if len(missing) > 0 {
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, porchconfig.ReasonNotInjected, strings.Join(missing, "; ")
	}
	return &c
}

// gatesCondition says whether the readiness gates are met; nil without gates. An unmet gate does not prevent an approval.
func gatesCondition(f *kptfile.File) *metav1.Condition {
	if len(f.ReadinessGates()) == 0 {
		return nil
	}
	c := condition(porchconfig.ConditionGatesMet, metav1.ConditionTrue, porchconfig.ReasonGatesMet, "every readiness gate is met")
	if unmet := unmetGates(f); len(unmet) > 0 {
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, porchconfig.ReasonGatesUnmet, "unmet readiness gates: "+strings.Join(unmet, ", ")
	}
	return &c
}

// unmetGates returns the readiness gates without a condition that is True, sorted, each once.
func unmetGates(f *kptfile.File) (unmet []string) {
	for _, gate := range f.ReadinessGates() {
		met := func(c kptfilev1.Condition) bool { return c.Type == gate && c.Status == kptfilev1.ConditionTrue }
		if !slices.ContainsFunc(f.Conditions(), met) {
			unmet = append(unmet, gate)
		}
	}
	slices.Sort(unmet)
	return slices.Compact(unmet)
}
