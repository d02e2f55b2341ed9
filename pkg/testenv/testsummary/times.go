package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// timing is how long a test or a package took, in seconds.
type timing struct {
	at      id
	seconds float64
}

const (
	slowest = 50  // how many tests are listed
	notable = 1.0 // seconds below which a test or package is not worth a line
)

// reportTimes lists the packages and the tests that took longest, longest first. Subtests count in their parents.
func (s *summary) reportTimes(out io.Writer) {
	report(out, "SLOWEST PACKAGES", s.slow(func(at id) bool { return at.test == "" }))
	report(out, "SLOWEST TESTS", s.slow(func(at id) bool { return at.test != "" && !strings.Contains(at.test, "/") }))
}

func (s *summary) slow(wanted func(id) bool) (found []timing) {
	for _, t := range s.times {
		if t.seconds >= notable && wanted(t.at) {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b timing) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), byName(a.at, b.at))
	})
	return found[:min(len(found), slowest)]
}

func report(out io.Writer, title string, times []timing) {
	if len(times) == 0 {
		return
	}
	fmt.Fprintf(out, "\n======== %s (seconds) ========\n", title)
	for _, t := range times {
		fmt.Fprintf(out, "%8.1f  %s %s\n", t.seconds, t.at.pkg, t.at.test)
	}
}
