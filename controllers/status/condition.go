package status

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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
