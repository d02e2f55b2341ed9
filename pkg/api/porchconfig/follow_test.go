package porchconfig_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// allowed lists the revisions from -1 to 6 that f allows.
func allowed(f porchconfig.Follow) (out []int) {
	for n := -1; n <= 6; n++ {
		if f.Allows(n) {
			out = append(out, n)
		}
	}
	return out
}

func TestParseFollow(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		want         []int
		err          string
	}{
		"latest":    {"every published revision, and no placeholder", "latest", []int{1, 2, 3, 4, 5, 6}, ""},
		"any":       {"a star is every revision, too", "*", []int{1, 2, 3, 4, 5, 6}, ""},
		"range":     {"both bounds hold", ">=2 <5", []int{2, 3, 4}, ""},
		"comma":     {"a comma is an and", ">=2, <5", []int{2, 3, 4}, ""},
		"tilde":     {"a revision has no smaller parts", "~3", []int{3}, ""},
		"or":        {"two ranges", "1 || >=5", []int{1, 5, 6}, ""},
		"not":       {"a bad revision is left out", "!=3", []int{1, 2, 4, 5, 6}, ""},
		"hyphen":    {"both ends belong to it", "2 - 4", []int{2, 3, 4}, ""},
		"v":         {"as revisions are written", ">=v5", []int{5, 6}, ""},
		"words":     {"a branch is no range", "main", nil, `improper constraint: "main"`},
		"nothing":   {"an empty range is refused, not everything", "", nil, `improper constraint: ""`},
		"void":      {"bounds that exclude each other", ">5 <3", nil, `no revision number is in ">5 <3"`},
		"minor":     {"revisions have no minor number", "3.1", nil, `no revision number is in "3.1"`},
		"zero":      {"revisions begin at 1", "<1", nil, `no revision number is in "<1"`},
		"very long": {"people write a dozen characters", string(make([]byte, 300)), nil, "want at most 256 characters, got 300"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := porchconfig.ParseFollow(tc.text)
			if diff := cmp.Diff(tc.err, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, allowed(f)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzParseFollow holds that what is accepted allows something, that no placeholder is ever allowed,
// and that what is refused allows nothing.
func FuzzParseFollow(f *testing.F) {
	for _, seed := range []string{"latest", ">=2 <5", "~3", "1 || >=5", "2 - 4", "main", "", "3.1", ">999999999999999999999", "^18446744073709551615"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		follow, err := porchconfig.ParseFollow(text)
		switch {
		case n < 1 && follow.Allows(n):
			t.Errorf("%q allows %d, which is no published revision", text, n)
		case err != nil && follow.Allows(n):
			t.Errorf("%q is refused and allows %d", text, n)
		}
		again, err2 := porchconfig.ParseFollow(text)
		if message(err) != message(err2) || follow.Allows(n) != again.Allows(n) {
			t.Errorf("%q means one thing now and another then", text)
		}
	})
}
