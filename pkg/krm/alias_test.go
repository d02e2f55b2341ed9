package krm

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExpandAliases(t *testing.T) {
	cases := map[string]struct {
		reason   string
		in, want string
		found    bool
	}{
		"nothing to do": {"an object without anchors stays as it is", "a: 1 # c\nb: [x]\n", "a: 1 # c\nb: [x]\n", false},
		"scalar":        {"comments stay where they stand", "a: &x 1 # one\nb: *x # two\n", "a: 1 # one\nb: 1 # two\n", true},
		"unused anchor": {"an anchor without an alias is removed too", "a: &x 1\n", "a: 1\n", true},
		"nested":        {"an alias inside what an alias stands for", "a: &x {k: &y [1]}\nb: &z {m: *x, n: *y}\nc: *z\n", "a: {k: [1]}\nb: {m: {k: [1]}, n: [1]}\nc: {m: {k: [1]}, n: [1]}\n", true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objs, err := Read("test.yaml", []byte(tc.in), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := objs[0].ExpandAliases(); got != tc.found {
				t.Errorf("%s: reported %v", tc.reason, got)
			}
			got, err := WriteRaw(objs[0])
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
