package plan

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// conditionPatch sets a condition in the status of a Binding; nil if it is set already. meta.SetStatusCondition does not
// serve: the conditions of other clients must stay exactly as they are, and lastTransitionTime is that of the last change of
// anything in the condition, not of its status alone.
func conditionPatch(have *unstructured.Unstructured, c metav1.Condition, now time.Time) (map[string]any, error) {
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
	return map[string]any{"observedGeneration": observedGeneration(status), "conditions": conditions}, nil
}

// policyErrorPatch sets our error, "" for none, in the status of a BindingPolicy, beside those of other clients; nil if it is
// set already. While text is not sure, an existing error stays. The API requires more fields than errors, so the patch adds
// those that are missing.
func policyErrorPatch(have *unstructured.Unstructured, text string, sure bool) map[string]any {
	status, _ := have.Object["status"].(map[string]any)
	known, _, _ := unstructured.NestedStringSlice(status, "errors") // anything but a list of strings counts as none
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

// errorsPatch sets the errors in the status of a StatusCollector; nil if they are set already.
func errorsPatch(have *unstructured.Unstructured, errs []string) map[string]any {
	status, _ := have.Object["status"].(map[string]any)
	var made []any
	for _, text := range errs {
		made = append(made, text)
	}
	if known, _ := status["errors"].([]any); slices.Equal(known, made) {
		return nil
	}
	out := map[string]any{"observedGeneration": observedGeneration(status), "errors": made}
	if len(made) == 0 {
		out["errors"] = nil
	}
	return out
}

// observedGeneration is that of a status, or 0: the API requires the field, but another client sets it.
func observedGeneration(status map[string]any) any {
	if n, is := status["observedGeneration"]; is {
		return n
	}
	return int64(0)
}
