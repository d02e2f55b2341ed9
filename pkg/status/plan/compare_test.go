package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/status"
)

type m = map[string]any

func TestEqual(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		a, b   any
		want   bool
	}{
		"numbers":    {"JSON has one kind of number", m{"a": []any{int64(1), 2.0}}, m{"a": []any{1.0, int64(2)}}, true},
		"others":     {"they are others", 1.5, int64(1), false},
		"null":       {"no null is kept", m{"a": nil}, m{}, true},
		"nulls":      {"on neither side", m{}, m{"a": nil}, true},
		"empty":      {"an empty list is one", m{"a": []any{}}, m{}, false},
		"more":       {"a field more", m{"a": int64(1)}, m{"a": int64(1), "b": false}, false},
		"text":       {"text is no number", "1", int64(1), false},
		"NaN":        {"results have it as text", m{"float": "NaN"}, m{"float": "NaN"}, true},
		"kinds":      {"a map is no text", m{}, "", false},
		"map, list":  {"nor a list", []any{}, m{}, false},
		"scalar":     {"nor is text a map", "", m{}, false},
		"longer":     {"a list is longer", []any{"a"}, []any{"a", "b"}, false},
		"last place": {"order counts", []any{"a", "b"}, []any{"b", "a"}, false},
	} {
		if got, back := equal(tc.a, tc.b), equal(tc.b, tc.a); got != tc.want || back != tc.want {
			t.Errorf("%s: %s: want %t, got %t and %t", name, tc.reason, tc.want, got, back)
		}
	}
}

// TestEqualButEmpty has what an API server may have made of what was written.
func TestEqualButEmpty(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		a, b   any
		want   bool
	}{
		"dropped":    {"no list, no map, no zero, no text, no null is kept", m{"n": int64(1)}, m{"n": int64(1), "a": []any{}, "b": m{}, "c": int64(0), "d": "", "e": nil, "f": 0.0, "g": false}, true},
		"all":        {"nothing is left", nil, m{"a": []any{}}, true},
		"deep":       {"not in elements either", m{"a": []any{m{"b": int64(1)}}}, m{"a": []any{m{"b": int64(1), "c": m{"d": int64(0)}}}}, true},
		"elements":   {"elements are kept", m{"a": []any{m{}}}, m{"a": []any{}}, false},
		"other":      {"another number", m{"a": int64(1)}, m{"a": int64(2)}, false},
		"to nothing": {"it was something", m{"a": int64(1)}, m{"a": int64(0)}, false},
		"something":  {"it has become something", m{}, m{"a": true}, false},
	} {
		if got, back := equalButEmpty(tc.a, tc.b), equalButEmpty(tc.b, tc.a); got != tc.want || back != tc.want {
			t.Errorf("%s: %s: want %t, got %t and %t", name, tc.reason, tc.want, got, back)
		}
	}
}

// TestPolicyErrorPatch has what others say stay, and what is not sure.
func TestPolicyErrorPatch(t *testing.T) {
	const ours = "Singleton reported status return is requested but some objects have the wrong number of associated WECs, for example: [1]"
	const other = "Singleton reported status return is requested but some objects have the wrong number of associated WECs, for example: [2]"
	for name, tc := range map[string]struct {
		reason string
		status any
		text   string
		sure   bool
		want   m
	}{
		"first":     {"a status needs more than errors", nil, ours, true, m{"errors": []string{ours}, "observedGeneration": int64(0), "conditions": []any{}}},
		"nothing":   {"there is nothing to say", nil, "", true, nil},
		"beside":    {"what is there is the others'", m{"observedGeneration": int64(2), "conditions": []any{}, "errors": []any{"a"}}, ours, true, m{"errors": []string{ours, "a"}}},
		"same":      {"it says so", m{"errors": []any{"a", ours}}, ours, true, nil},
		"last":      {"no errors are left", m{"observedGeneration": int64(2), "conditions": []any{}, "errors": []any{ours}}, "", true, m{"errors": nil}},
		"unsure":    {"it may turn out to be right", m{"errors": []any{other}}, "", false, nil},
		"partly":    {"or more of it", m{"errors": []any{other}}, ours, false, nil},
		"some":      {"what is known is better than nothing", m{"observedGeneration": int64(2), "conditions": []any{}, "errors": []any{"a"}}, ours, false, m{"errors": []string{ours, "a"}}},
		"malformed": {"an API server would not have that", m{"observedGeneration": int64(2), "conditions": []any{}, "errors": "a"}, ours, true, m{"errors": []string{ours}}},
	} {
		t.Run(name, func(t *testing.T) {
			have := &unstructured.Unstructured{Object: m{"status": tc.status}}
			before := have.DeepCopy()
			got := policyErrorPatch(have, tc.text, tc.sure)
			if diff := cmp.Diff(tc.want, m(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before.Object, have.Object); diff != "" {
				t.Errorf("what was there changed:\n%s", diff)
			}
		})
	}
}

// TestConditionPatch keeps what others say, and the time of a condition that stays.
func TestConditionPatch(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	missing, fine := status.AvailableCondition([]string{"a"}), status.AvailableCondition(nil)
	other := m{"type": "Other", "status": "True"}
	said := func(c metav1.Condition, when string) m {
		return m{"type": c.Type, "status": string(c.Status), "reason": c.Reason, "message": c.Message, "lastTransitionTime": when}
	}
	for name, tc := range map[string]struct {
		reason string
		status any
		say    metav1.Condition
		want   m
	}{
		"first":   {"there is no status", nil, fine, m{"observedGeneration": int64(0), "conditions": []any{said(fine, "2026-01-02T03:04:05Z")}}},
		"beside":  {"others say something", m{"observedGeneration": int64(3), "conditions": []any{other}}, missing, m{"observedGeneration": int64(3), "conditions": []any{other, said(missing, "2026-01-02T03:04:05Z")}}},
		"changed": {"only the message differs", m{"conditions": []any{said(status.AvailableCondition([]string{"b"}), "2025-01-01T00:00:00Z"), other}}, missing, m{"observedGeneration": int64(0), "conditions": []any{said(missing, "2026-01-02T03:04:05Z"), other}}},
		"same":    {"it says so", m{"conditions": []any{said(missing, "2025-01-01T00:00:00Z")}}, missing, nil},
	} {
		t.Run(name, func(t *testing.T) {
			have := &unstructured.Unstructured{Object: m{"status": tc.status}}
			before := have.DeepCopy()
			got, err := conditionPatch(have, tc.say, at)
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
			if diff := cmp.Diff(before.Object, have.Object); diff != "" {
				t.Errorf("what was there changed:\n%s", diff)
			}
		})
	}
}
