package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// skip is a skipped test, and why.
type skip struct {
	at     id
	reason string
}

var (
	position = regexp.MustCompile(`^\s*\S+\.go:\d+: (SKIPPED: )?`)
	lacking  = regexp.MustCompile(`needs a working (\w+)`)
	leftOut  = regexp.MustCompile(`^left out of the short run: (.*)`)
)

// reason is the output of a skipped test, on one line.
func reason(printed []string) string {
	var words []string
	for line := range strings.Lines(messageOf(printed)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") {
			words = append(words, strings.Fields(position.ReplaceAllString(line, ""))...)
		}
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}

// excused reports whether a skip is allowed when these parts are required: always if none is, else only when the reason
// names a part that is not.
func (k skip) excused(required []string) bool {
	if len(required) == 0 {
		return true
	}
	part := lacking.FindStringSubmatch(k.reason)
	return part != nil && !slices.Contains(required, part[1])
}

// close writes the skipped tests, faults other than failed tests, and the counts, and reports whether all is well.
func (s *summary) close(out io.Writer, note string, required []string) bool {
	s.forgetShort()
	s.reportTimes(out)
	s.reportShort(out)
	s.reportSkips(out, note)
	faults := s.faults(required)
	for _, fault := range faults {
		fmt.Fprintf(out, "ERROR: %s\n", fault)
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", s.counts["pass"], s.counts["fail"], s.counts["skip"])
	return len(faults) == 0 && s.counts["fail"] == 0
}

// forgetShort drops tests that a short run skipped and a full run passed: make test-all runs some packages in both ways.
func (s *summary) forgetShort() {
	all := len(s.skips)
	s.skips = slices.DeleteFunc(s.skips, func(k skip) bool { return s.passed[k.at] && leftOut.MatchString(k.reason) })
	s.counts["skip"] -= all - len(s.skips)
}

func (s *summary) reportSkips(out io.Writer, note string) {
	lacks := slices.DeleteFunc(s.sortedSkips(), func(k skip) bool { return leftOut.MatchString(k.reason) })
	if len(lacks) == 0 && note == "" {
		return
	}
	fmt.Fprintln(out, "\n======== NOT CHECKED HERE ========")
	for _, k := range lacks {
		fmt.Fprintf(out, "%s %s: %s\n", k.at.pkg, k.at.test, k.reason)
	}
	if note != "" {
		fmt.Fprintln(out, note)
	}
	fmt.Fprintln(out)
}

// reportShort counts the tests that a short run skipped, by reason.
func (s *summary) reportShort(out io.Writer) {
	counts := map[string]int{}
	for _, k := range s.skips {
		if why := leftOut.FindStringSubmatch(k.reason); why != nil {
			counts[why[1]]++
		}
	}
	if len(counts) == 0 {
		return
	}
	fmt.Fprintln(out, "\n======== LEFT OUT OF THE SHORT RUN: make test-all runs these ========")
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(out, "%6d  %s\n", counts[why], why)
	}
}

func (s *summary) sortedSkips() []skip {
	return slices.SortedFunc(slices.Values(s.skips), func(a, b skip) int { return byName(a.at, b.at) })
}

// faults are the faults other than failed tests.
func (s *summary) faults(required []string) (faults []string) {
	for _, pkg := range slices.Sorted(maps.Keys(s.open)) {
		faults = append(faults, pkg+" never finished")
	}
	for _, k := range s.sortedSkips() {
		if !k.excused(required) {
			faults = append(faults, fmt.Sprintf("%s %s was skipped, and WAYBILL_REQUIRE=%s allows no such skip",
				k.at.pkg, k.at.test, strings.Join(required, ",")))
		}
	}
	if s.counts["pass"]+s.counts["fail"]+s.counts["skip"] == 0 {
		faults = append(faults, "no test ran")
	}
	return faults
}
