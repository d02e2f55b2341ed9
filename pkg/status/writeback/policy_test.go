package writeback

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMergeErrors(t *testing.T) {
	ours, old := errorText+"["+example(1, 2)+","+example(2, 0)+"]", errorText+"["+example(1, 3)+"]"
	turned := errorText + "[" + example(2, 0) + "," + example(1, 2) + "]"
	cases := map[string]struct {
		reason string
		have   []string
		text   string
		want   []string
	}{
		"Nothing":     {"there is nothing to say", nil, "", nil},
		"First":       {"it is said", nil, ours, []string{ours}},
		"Beside":      {"it comes before what others say, which stays", []string{"b", "a"}, ours, []string{ours, "b", "a"}},
		"There":       {"it is there, if elsewhere", []string{"b", ours, "a"}, ours, []string{"b", ours, "a"}},
		"Turned":      {"another controller leaves the order of examples open", []string{turned, "a"}, ours, []string{turned, "a"}},
		"Other":       {"another number is another error", []string{"a", old}, ours, []string{ours, "a"}},
		"Twice":       {"it is said once", []string{ours, "a", turned}, ours, []string{ours, "a"}},
		"TwiceOther":  {"what was said before goes", []string{ours, old}, ours, []string{ours}},
		"Over":        {"nothing is wrong any more", []string{"a", old, "b"}, "", []string{"a", "b"}},
		"Odd":         {"what begins like ours and cannot be read is not right", []string{errorText + "nonsense"}, ours, []string{ours}},
		"Fewer":       {"not all examples are there", []string{errorText + "[" + example(1, 2) + "]"}, ours, []string{ours}},
		"OthersStay":  {"what others say is not looked at", []string{"a", "a"}, "", []string{"a", "a"}},
		"NotAPrefix":  {"what quotes ours is another's", []string{"see: " + ours}, "", []string{"see: " + ours}},
		"OverAndLast": {"it was the only one", []string{old}, "", []string{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tc.have)
			got := MergeErrors(tc.have, tc.text)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before, tc.have); diff != "" {
				t.Errorf("what was there changed:\n%s", diff)
			}
			if diff := cmp.Diff(got, MergeErrors(got, tc.text)); diff != "" {
				t.Errorf("a second time (-once +twice):\n%s", diff)
			}
		})
	}
}
