package manifestconfig

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFitsPattern compares names with the expressions that agents make of patterns.
func TestFitsPattern(t *testing.T) {
	fitting := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*.]{0,6}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab.]{0,8}`).Draw(t, "name")
		agents := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$")
		want := agents.MatchString(name)
		if got := FitsPattern(pattern, name); got != want {
			t.Fatalf("%q fits %q: %t, want %t", name, pattern, got, want)
		}
		if want {
			fitting++
		}
	})
	if fitting == 0 {
		t.Error("no name fitted: nothing was shown")
	}
}
