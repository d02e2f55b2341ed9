package plan

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

func toUnstructured(c *control.CombinedStatus) (*unstructured.Unstructured, error) {
	out := &unstructured.Unstructured{}
	return out, named(c, convert(c, &out.Object))
}

// named says of which CombinedStatus an error is.
func named(c *control.CombinedStatus, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write CombinedStatus %s/%s: %w", c.Namespace, c.Name, err)
}

// hasOurLabels reports whether an object has the five labels of a CombinedStatus.
func hasOurLabels(obj *unstructured.Unstructured) bool {
	have := obj.GetLabels()
	for _, key := range []string{status.LabelGroup, status.LabelResource, status.LabelNamespace, status.LabelName, status.LabelPolicy} {
		if _, is := have[key]; !is {
			return false
		}
	}
	return true
}

// equal reports whether two values are the same to an API server, which stores no null and does not distinguish 1 from 1.0.
// (Results have numbers as text: NaN is NaN.)
func equal(a, b any) bool {
	return reflect.DeepEqual(normalize(a, isNull), normalize(b, isNull))
}

// equalButEmpty also ignores the fields that an API server which knows the kind may leave out: empty ones, false and zero.
func equalButEmpty(a, b any) bool {
	a, b = normalize(a, isEmpty), normalize(b, isEmpty)
	return isEmpty(a) && isEmpty(b) || reflect.DeepEqual(a, b)
}

// normalize returns v with one type for all numbers, without the fields that drop selects. Elements of lists stay, each
// without such fields.
func normalize(v any, drop func(any) bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, field := range v {
			if field = normalize(field, drop); !drop(field) {
				out[key] = field
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normalize(v[i], drop)
		}
		return out
	case float64:
		if whole := int64(v); float64(whole) == v {
			return whole
		}
	}
	return v
}

func isNull(v any) bool { return v == nil }

func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == nil || v == "" || v == false || v == int64(0)
}
