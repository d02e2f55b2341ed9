package edit_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

func TestQuote(t *testing.T) {
	long := strings.Repeat("a", 199) + "ä" + strings.Repeat("b", 1000)
	for name, tc := range map[string]struct{ reason, value, want string }{
		"short":    {"a value is shown whole", "a\n\"b\"", `"a\n\"b\""`},
		"at most":  {"as long as may be", long[:199] + "c", `"` + long[:199] + `c"`},
		"too long": {"the beginning, cut between characters", long, `"` + long[:199] + `"... (1201 bytes)`},
	} {
		if got := edit.Quote(tc.value); got != tc.want {
			t.Errorf("%s: %s: got %s, want %s", name, tc.reason, got, tc.want)
		}
	}
}
