package budget_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

func TestSum(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		a, b    budget.Change
		want    budget.Change
		nothing bool
	}{
		"nothing":     {"nothing and nothing is nothing", budget.Change{}, budget.Change{}, budget.Change{}, true},
		"one":         {"nothing adds nothing", changes(2, 1, "a"), budget.Change{}, changes(2, 1, "a"), false},
		"overlapping": {"a cluster that both change is one; objects and deletions add up", changes(2, 1, "b", "c"), changes(1, 0, "a", "b"), changes(3, 1, "a", "b", "c"), false},
		"file only":   {"a cluster may change without an object", changes(0, 0, "a"), budget.Change{}, changes(0, 0, "a"), false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, got := range []budget.Change{budget.Sum(tc.a, tc.b), budget.Sum(tc.b, tc.a)} {
				if diff := cmp.Diff(tc.want, got); diff != "" || got.IsZero() != tc.nothing {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
		})
	}
}
