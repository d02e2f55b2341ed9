package control

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

func TestCompileSelector(t *testing.T) {
	all := map[string]labels.Set{"none": nil, "a": {"k": "a"}, "b": {"k": "b"}, "other": {"x": "a"}}
	cases := map[string]struct {
		reason string
		in     metav1.LabelSelector
		want   []string // which of all match
	}{
		"Empty":     {"the empty selector matches everything", metav1.LabelSelector{}, []string{"a", "b", "none", "other"}},
		"Labels":    {"labels must be equal", metav1.LabelSelector{MatchLabels: map[string]string{"k": "a"}}, []string{"a"}},
		"In":        {"any of the values will do", expression("k", metav1.LabelSelectorOpIn, "a", "b"), []string{"a", "b"}},
		"NotIn":     {"an absent key passes", expression("k", metav1.LabelSelectorOpNotIn, "a"), []string{"b", "none", "other"}},
		"Exists":    {"any value will do", expression("k", metav1.LabelSelectorOpExists), []string{"a", "b"}},
		"NotExists": {"only absence will do", expression("k", metav1.LabelSelectorOpDoesNotExist), []string{"none", "other"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, errs := CompileSelector(&tc.in, nil)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			var got []string
			for _, name := range []string{"a", "b", "none", "other"} {
				if s.Matches(all[name]) {
					got = append(got, name)
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func expression(key string, op metav1.LabelSelectorOperator, values ...string) metav1.LabelSelector {
	return metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: op, Values: values}}}
}
