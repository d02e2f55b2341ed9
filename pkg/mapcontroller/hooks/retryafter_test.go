package hooks

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// noon is half a second after it.
var noon = time.Date(2026, 7, 1, 12, 0, 0, 5e8, time.UTC)

func TestRetryAfter(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, text string
		want         time.Duration
	}{
		"seconds":     {"the usual form", "120", 2 * time.Minute},
		"space":       {"space does not count", " 120 ", 2 * time.Minute},
		"none":        {"at once", "0", 0},
		"absent":      {"nothing is said", "", 0},
		"negative":    {"no time is negative", "-5", 0},
		"part":        {"a whole number or none", "1.5", 0},
		"words":       {"not understood is at once", "soon", 0},
		"many":        {"a day is enough", "100000", 24 * time.Hour},
		"many digits": {"more than a number holds", "99999999999999999999", 24 * time.Hour},
		"date":        {"9.5s are 10", "Wed, 01 Jul 2026 12:00:10 GMT", 10 * time.Second},
		"UTC":         {"the zone of RFC 1123 is a word", "Wed, 01 Jul 2026 12:00:10 UTC", 10 * time.Second},
		"whole":       {"half a second is one", "Wed, 01 Jul 2026 12:00:01 GMT", time.Second},
		"over":        {"it may be asked again", "Wed, 01 Jul 2026 12:00:00 GMT", 0},
		"long over":   {"however long that is", "Wed, 01 Jul 0001 12:00:00 GMT", 0},
		"far":         {"a day is enough", "Wed, 01 Jul 9999 12:00:00 GMT", 24 * time.Hour},
		"other date":  {"only one form of dates is known", "2026-07-01T12:00:10Z", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, retryAfter(tc.text, noon)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzRetryAfter holds that a wait is whole seconds between now and a day from now, and that a date in that
// time is not asked too early, nor a second too late.
func FuzzRetryAfter(f *testing.F) {
	for _, text := range []string{"", "1", "-1", "1e9", "86401", "Wed, 01 Jul 2026 12:00:10 GMT", "Wed, 01 Jul 2026 23:59:60 CET"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		wait := retryAfter(text, noon)
		if wait < 0 || wait > longestRetry || wait%time.Second != 0 {
			t.Fatalf("%q: %s", text, wait)
		}
		at, err := time.Parse(time.RFC1123, text)
		if err != nil || at.Location() != time.UTC || wait == longestRetry || !at.After(noon) {
			return
		}
		if late := noon.Add(wait).Sub(at); late < 0 || late >= time.Second {
			t.Fatalf("%q: %s, which is %s late", text, wait, late)
		}
	})
}
