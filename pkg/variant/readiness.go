package variant

import (
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// GatesCondition says of a package whether its readiness gates are met, as the PackageVariant
// condition ReadinessGatesMet; nil when it has none.
func GatesCondition(tree pkgtree.Tree) (*metav1.Condition, error) {
	f, err := rootKptfile(tree)
	if err != nil || len(f.ReadinessGates()) == 0 {
		return nil, err
	}
	unmet, err := UnmetGates(tree)
	if err != nil {
		return nil, err
	}
	c := condition(porchconfig.ConditionGatesMet, metav1.ConditionTrue, porchconfig.ReasonGatesMet, "every readiness gate is met")
	if len(unmet) > 0 {
		c = condition(porchconfig.ConditionGatesMet, metav1.ConditionFalse, porchconfig.ReasonGatesUnmet, "unmet readiness gates: "+
			strings.Join(unmet, ", "))
	}
	return &c, nil
}

// UnmetGates are the readiness gates of the root Kptfile that none of its conditions meets by being
// True, sorted, each once. They keep nobody from approving; whoever is to approve wants to know.
func UnmetGates(tree pkgtree.Tree) ([]string, error) {
	f, err := rootKptfile(tree)
	if err != nil {
		return nil, err
	}
	var unmet []string
	for _, gate := range f.ReadinessGates() {
		met := func(c kptfilev1.Condition) bool { return c.Type == gate && c.Status == kptfilev1.ConditionTrue }
		if !slices.ContainsFunc(f.Conditions(), met) {
			unmet = append(unmet, gate)
		}
	}
	slices.Sort(unmet)
	return slices.Compact(unmet), nil
}
