package krm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
)

func TestContinueWithComments(t *testing.T) {
	cases := map[string]struct{ reason, old, printed, want string }{
		"inside":   {"a function put the last comment a level deeper", "a:\n  b: 1\n# tail\n", "a:\n  b: 2\n  # tail\n", "a:\n  b: 2\n# tail\n"},
		"its own":  {"a comment that it made itself", "a:\n  b: 1\n# tail\n", "a:\n  b: 2\n  # new\n", "a:\n  b: 2\n  # new\n# tail\n"},
		"two":      {"the same comment twice, as in the file", "a:\n  b: 1\n  # tail\n# tail\n", "a:\n  b: 2\n  # tail\n", "a:\n  b: 2\n  # tail\n# tail\n"},
		"no other": {"no comment at all", "a:\n  b: 1\n", "a:\n  b: 2\n", "a:\n  b: 2\n"},
	}
	for name, c := range cases {
		old, o := mustRead(t, c.old)[0], mustRead(t, c.printed)[0]
		for i, foot := range comments.Trailing(old.outside()) { // as functions that put comments back do
			if at := comments.Trailing(o.outside())[i]; *at == "" {
				*at = *foot
			}
		}
		o.ContinueFrom(old)
		if d := cmp.Diff(c.want, mustWrite(t, o)); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, c.reason, d)
		}
	}
}
