package manifest

import (
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestAmbiguousTextIsQuoted goes over what readers of YAML 1.1, PyYAML and Ruby's among them, take for
// something else than text when it stands there without quotes, and over what only resembles it.
func TestAmbiguousTextIsQuoted(t *testing.T) {
	cases := map[string]struct {
		reason string
		quoted bool
		texts  []string
	}{
		"Sexagesimal": {"750 to a reader that counts by sixties", true, []string{"12:30", "1:20:30.5", "-190:20:30", "+1_0:5"}},
		"Signs":       {"a default value and a merge", true, []string{"=", "<<"}},
		"Octal":       {"of both kinds", true, []string{"0644", "0o644", "-010", "0o_7"}},
		"Radix":       {"hexadecimal and binary", true, []string{"0x1F", "0x_", "0b101", "0b1_0", "+0X1f"}},
		"Underscores": {"one in a number is no obstacle", true, []string{"1_000", "1__0", "5_", "1_0.5", "._5", "1_0e3"}},
		"Numbers":     {"to YAML of any age", true, []string{"1", "-1", "+1", "08", "1.", ".5", "1e3", "1.5e+7", ".5E-1", ".inf", "-.INF", ".nan"}},
		"Times":       {"dates and times, with all kinds of zones", true, []string{"2026-01-02", "2026-1-2", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "2001-12-15 2:59:43.10", "2001-12-14 21:59:43 Z"}},
		"Words":       {"flags and nothing", true, []string{"y", "Y", "yes", "No", "on", "OFF", "n", "true", "False", "~", "null", "NULL"}},
		"Addresses":   {"more dots than a number has", false, []string{"10.0.0.1", "1.2.3", "v1.2.3", "10.0.0.0/16"}},
		"Quantities":  {"a unit makes it text", false, []string{"100m", "64Mi", "30s", "1h30m", "0.5Gi"}},
		"Ranges":      {"no number of sixty has these", false, []string{"12:60", "8080:tcp", "12:30:x", "1:2:3:4a", "80-443", "-c", "--port=80"}},
		"Dates":       {"almost", false, []string{"2026-01", "2026-001-01", "2026-01-02-beta", "26-01-02", "2026-01-02 to 2026-01-03"}},
		"Hashes":      {"digits and letters", false, []string{"0b2", "0xyz", "1e", "12ab34", "7f3a", "_1", "e5"}},
		"Text":        {"ordinary words", false, []string{"nothing", "yes please", "==", "=x", "<", "<<x", "none", "...", "+", "."}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, s := range tc.texts {
				if got := textStyle(s) == yaml.DoubleQuotedStyle; got != tc.quoted {
					t.Errorf("%s: %q is put into quotes: %t", tc.reason, s, got)
				}
			}
		})
	}
}
