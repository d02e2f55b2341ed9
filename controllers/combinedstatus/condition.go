package combinedstatus

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// withCondition is the status of a Binding with a condition in it, which others stay beside; nil when the
// Binding says so already. The time is that of the last change of anything in the condition.
func withCondition(have *unstructured.Unstructured, c metav1.Condition, now time.Time) (map[string]any, error) {
	status, _ := have.Object["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	c.LastTransitionTime = metav1.NewTime(now)
	made, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&c)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(conditions, func(e any) bool {
		known, _ := e.(map[string]any)
		return known["type"] == c.Type
	})
	conditions = slices.Clone(conditions)
	if at < 0 {
		conditions = append(conditions, made)
	} else if known, _ := conditions[at].(map[string]any); known["status"] == made["status"] &&
		known["reason"] == made["reason"] && known["message"] == made["message"] {
		return nil, nil
	} else {
		conditions[at] = made
	}
	return map[string]any{"observedGeneration": observed(status), "conditions": conditions}, nil
}

// withPolicyError is the status of a BindingPolicy with the text of its error, "" for none, in it, which what
// others say stays beside; nil when the policy says so already. While the text is not sure, one that is
// there stays. A status needs more than errors, which is added where there is none.
func withPolicyError(have *unstructured.Unstructured, text string, sure bool) map[string]any {
	status, _ := have.Object["status"].(map[string]any)
	known, _, _ := unstructured.NestedStringSlice(status, "errors") // what is no list of texts counts as none
	if !sure && slices.ContainsFunc(known, writeback.IsPolicyError) {
		return nil
	}
	merged := writeback.MergeErrors(known, text)
	if slices.Equal(known, merged) {
		return nil
	}
	out := map[string]any{"errors": nil}
	if len(merged) > 0 {
		out["errors"] = merged
	}
	for field, value := range map[string]any{"observedGeneration": int64(0), "conditions": []any{}} {
		if _, is := status[field]; !is {
			out[field] = value
		}
	}
	return out
}

// withErrors is the status of a StatusCollector with these errors; nil when it has them already.
func withErrors(have *unstructured.Unstructured, errs []string) map[string]any {
	status, _ := have.Object["status"].(map[string]any)
	var made []any
	for _, text := range errs {
		made = append(made, text)
	}
	if known, _ := status["errors"].([]any); slices.Equal(known, made) {
		return nil
	}
	out := map[string]any{"observedGeneration": observed(status), "errors": made}
	if len(made) == 0 {
		out["errors"] = nil
	}
	return out
}

// observed is the generation that a status names, which must be there and is not ours to say.
func observed(status map[string]any) any {
	if n, is := status["observedGeneration"]; is {
		return n
	}
	return int64(0)
}
