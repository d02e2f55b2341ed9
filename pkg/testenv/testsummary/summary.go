package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// event is one line of `go test -json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64 // seconds
}

// id names a test; a package as a whole has no Test.
type id struct{ pkg, test string }

// summary is the state of all tests so far.
type summary struct {
	output  map[id][]string // of unfinished tests
	open    map[string]bool // packages that have started and not ended
	below   map[id]bool     // tests that have subtests
	counted map[id]string   // results of tests that one of their subtests already counts for
	failed  map[string]int  // failures by package, to distinguish a failed package from its failed tests
	counts  map[string]int  // tests by result: pass, fail, skip
	passed  map[id]bool     // tests that passed at least once
	skips   []skip
	times   []timing
}

func newSummary() *summary {
	return &summary{
		output: map[id][]string{}, open: map[string]bool{}, below: map[id]bool{},
		counted: map[id]string{}, failed: map[string]int{}, counts: map[string]int{}, passed: map[id]bool{},
	}
}

// see reads one line and returns the text to show for it now.
func (s *summary) see(line []byte) string {
	var e event
	if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
		return string(line)
	}
	at := id{e.Package, e.Test}
	switch e.Action {
	case "start":
		s.open[e.Package] = true
	case "run":
		s.below[at.parent()] = true
	case "build-output":
		return e.Output
	case "output":
		return s.print(at, e.Output)
	case "pass", "fail", "skip":
		s.times = append(s.times, timing{at, e.Elapsed})
		return s.end(at, e.Action)
	}
	return ""
}

// parent is the test that a subtest belongs to, or the package.
func (at id) parent() id {
	cut := max(0, strings.LastIndex(at.test, "/"))
	return id{at.pkg, at.test[:cut]}
}

// print keeps the output of a test until its result is known; that of a package is shown at once.
func (s *summary) print(at id, text string) string {
	if at.test != "" {
		s.output[at] = append(s.output[at], text)
		return ""
	}
	if text == "PASS\n" || strings.HasSuffix(text, "[no test files]\n") {
		return ""
	}
	return text
}

func (s *summary) end(at id, result string) string {
	if at.test == "" {
		return s.endPackage(at.pkg, result)
	}
	printed := s.output[at]
	delete(s.output, at)
	s.passed[at] = s.passed[at] || result == "pass"
	if s.count(at, result); result == "skip" {
		s.skips = append(s.skips, skip{at, reason(printed)})
	}
	if result == "fail" {
		return messageOf(printed)
	}
	return ""
}

// count counts a test once: a test with subtests counts itself only when it failed or was skipped by itself.
func (s *summary) count(at id, result string) {
	byItself := s.counted[at] != result && (result != "pass" || !s.below[at])
	if byItself {
		s.counts[result]++
	}
	if result == "fail" {
		s.failed[at.pkg]++
		s.counted[at.parent()] = result
	}
}

// endPackage shows the output of tests that never ended, as after a panic or a timeout, and counts the package itself when
// it failed and none of its tests did: a build, init or TestMain.
func (s *summary) endPackage(pkg, result string) string {
	delete(s.open, pkg)
	var shown strings.Builder
	for _, at := range slices.SortedFunc(maps.Keys(s.output), byName) {
		if at.pkg == pkg {
			if result == "fail" {
				shown.WriteString(messageOf(s.output[at]))
			}
			delete(s.output, at)
		}
	}
	if result == "fail" && s.failed[pkg] == 0 {
		s.counts["fail"]++
	}
	return shown.String()
}

func byName(a, b id) int {
	return strings.Compare(a.pkg+"\x00"+a.test, b.pkg+"\x00"+b.test)
}

// messageOf joins the output of a test, without the lines that only mark its progress.
func messageOf(printed []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(printed), func(line string) bool {
		return strings.HasPrefix(line, "=== ")
	}), "")
}
