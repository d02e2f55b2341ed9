package workload

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// PropagationPolicyAnnotation says what happens on clusters when works no longer hold an object. On a BindingPolicy or a Binding
// it is about every object that they select, on an object about that object alone. It does not ship.
const PropagationPolicyAnnotation = fn.ReservedPrefix + "propagation-policy"

// OCM's propagation policies.
const (
	Foreground        = "Foreground"        // the agent deletes the objects
	Orphan            = "Orphan"            // the objects stay
	SelectivelyOrphan = "SelectivelyOrphan" // some stay: here those that hold data
)

// PropagationPolicies are all of them.
var PropagationPolicies = []string{Foreground, Orphan, SelectivelyOrphan}

// HoldsData reports whether the deletion of an object of that kind deletes what no package can bring back: the content of volumes, and
// all objects in a namespace or of a custom kind.
//
// A StatefulSet does not count: its claims outlive it. Its progress, like that of a Job, is lost, but no data is.
func HoldsData(kind schema.GroupKind) bool {
	switch kind.String() {
	case "Namespace", "PersistentVolumeClaim", "PersistentVolume", "CustomResourceDefinition.apiextensions.k8s.io":
		return true
	}
	return false
}

// PropagationPolicyOf reads the annotation of o: one of those policies, "" for none.
func PropagationPolicyOf(o *krm.Object, policies ...string) (string, *field.Error) {
	if !o.HasAnnotation(PropagationPolicyAnnotation) {
		return "", nil
	}
	policy := o.Annotation(PropagationPolicyAnnotation)
	at := field.NewPath("metadata", "annotations").Key(PropagationPolicyAnnotation)
	if errs := fn.OneOf(at, policy, policies...); len(errs) > 0 {
		return "", errs[0]
	}
	return policy, nil
}
