package testenv

import (
	"flag"
	"testing"
)

// The flag of pgregory.net/rapid, which this package does not import.
var checks = flag.Int("rapid.checks", 100, "")

func TestChecks(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, short string
		asked, want   int
	}{
		"full":        {"all cases", "", 100, 40},
		"short":       {"a fifth of them", "1", 100, 8},
		"asked":       {"the command line says how many", "", 3, 3},
		"asked short": {"in a short run, too", "1", 3, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("WAYBILL_SHORT", tc.short)
			*checks = tc.asked
			t.Run("property", func(t *testing.T) {
				if Checks(t, 40); *checks != tc.want {
					t.Errorf("%s: %d cases, want %d", tc.reason, *checks, tc.want)
				}
			})
			if *checks != tc.asked {
				t.Errorf("the next property is checked on %d cases, want %d", *checks, tc.asked)
			}
		})
	}
	*checks = 100
}
