package local

import (
	"fmt"
	"maps"
	"slices"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// checkLabels refuses labels that selectors would not see: with them an object counts as one that a set does not select.
func checkLabels(o *krm.Object) error {
	at := field.NewPath("metadata", "labels")
	labels := map[string]string{}
	n := krm.Deref(o.Lookup("metadata", "labels"))
	if n != nil {
		if err := krm.DecodeNode(n, at, &labels); err != nil {
			return fmt.Errorf("%s: %w", unplaced(o).Describe(), err)
		}
	}
	if faults := metav1validation.ValidateLabels(labels, at); len(faults) > 0 {
		return fmt.Errorf("%s: %w", unplaced(o).Describe(), faults.ToAggregate())
	}
	if name := misplaced(o, n != nil); name != "" {
		return fmt.Errorf("%s: %s: nothing reads such labels; write metadata.labels", unplaced(o).Describe(), name)
	}
	return nil
}

// misplaced is a field that may be meant to be metadata.labels, or another field of the metadata; empty for none. A kind that
// others define may have a field labels.
func misplaced(o *krm.Object, labelled bool) string {
	for _, name := range slices.Sorted(maps.Keys(workload.MisspeltMetadata(o))) {
		if workload.MisspeltMetadata(o)[name] == "labels" {
			return "metadata." + name
		}
	}
	if !labelled && !workload.MayDefineFields(o) && workload.HasLabelsBesideMetadata(o) {
		return "labels"
	}
	return ""
}
