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

// summary is what has been seen so far.
type summary struct {
	output map[id][]string // what unfinished tests have printed
	open   map[string]bool // packages that have started and not ended
	below  map[id]bool     // tests that have subtests
	blamed map[id]string   // tests whose result one of their subtests already counts for
	failed map[string]int  // failures by package, to tell a failed package from its failed tests
	counts map[string]int  // tests by result: pass, fail, skip
	passed map[id]bool     // tests that passed at least once
	skips  []skip
	times  []timing
}

func newSummary() *summary {
	return &summary{
		output: map[id][]string{}, open: map[string]bool{}, below: map[id]bool{},
		blamed: map[id]string{}, failed: map[string]int{}, counts: map[string]int{}, passed: map[id]bool{},
	}
}

// see takes one line in and returns what is to be shown for it now.
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

// print keeps what a test prints until it is known how the test ends; a package speaks at once.
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
		return said(printed)
	}
	return ""
}

// count counts a test once: a test that has subtests counts itself only when it failed or was
// skipped on its own account.
func (s *summary) count(at id, result string) {
	byItself := s.blamed[at] != result && (result != "pass" || !s.below[at])
	if byItself {
		s.counts[result]++
	}
	if result == "fail" {
		s.failed[at.pkg]++
		s.blamed[at.parent()] = result
	}
}

// endPackage shows what tests said that never came to an end, as after a panic or a timeout, and
// counts the package itself when it failed and none of its tests did: a build, init or TestMain.
func (s *summary) endPackage(pkg, result string) string {
	delete(s.open, pkg)
	var shown strings.Builder
	for _, at := range slices.SortedFunc(maps.Keys(s.output), byName) {
		if at.pkg == pkg {
			if result == "fail" {
				shown.WriteString(said(s.output[at]))
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

// said joins what a test printed, without the lines that only mark its progress.
func said(printed []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(printed), func(line string) bool {
		return strings.HasPrefix(line, "=== ")
	}), "")
}
