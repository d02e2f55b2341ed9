package fn

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompareByIndex(t *testing.T) {
	cases := map[string]struct {
		reason string
		sorted []string
	}{
		"Plain":    {"bytewise", []string{"", "a", "a.b", "b"}},
		"Numbers":  {"places in lists count", []string{"remove[0]", "remove[2]", "remove[2].x", "remove[10]", "remove[10][3]", "remove[10][20]"}},
		"Outside":  {"only in brackets", []string{"port10", "port2"}},
		"Keys":     {"what is no number stays bytewise", []string{"a[10]", "a[b10]", "a[b2]", "a[b]"}},
		"Unclosed": {"text is just text", []string{"[", "[1", "[2", "[10", "[x"}},
		"Beyond":   {"no number is too long", []string{"a[99999999999999999998]", "a[99999999999999999999]", "a[100000000000000000000]"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := slices.Clone(tc.sorted)
			slices.Reverse(got)
			slices.SortFunc(got, compareByIndex)
			if diff := cmp.Diff(tc.sorted, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
