package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ended is the event of a test, or of a package where test is empty, that took so many seconds.
func ended(pkg, test string, seconds float64) string {
	return fmt.Sprintf(`{"Action":"pass","Package":%q,"Test":%q,"Elapsed":%g}`+"\n", pkg, test, seconds)
}

func TestTimes(t *testing.T) {
	in := ended("a", "TestQuick", 0.9) + ended("a", "TestSlow/case", 7) + ended("a", "TestSlow", 7.25) + ended("a", "", 8.2) +
		ended("b", "TestB", 9) + ended("b", "", 9)
	want := "\n======== SLOWEST PACKAGES (seconds) ========\n     9.0  b \n     8.2  a \n" +
		"\n======== SLOWEST TESTS (seconds) ========\n     9.0  b TestB\n     7.2  a TestSlow\n"
	got, _ := run(t, in, nil)
	if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
		t.Errorf("what takes a second and more is listed, longest first, subtests with their parents (-want +got):\n%s", diff)
	}
}

func TestTimesAreFew(t *testing.T) {
	var in strings.Builder
	for i := range 3 * slowest {
		in.WriteString(ended("a", fmt.Sprintf("Test%d", i), 2))
	}
	got, _ := run(t, in.String(), nil)
	if n := strings.Count(got, "  a Test"); n != slowest {
		t.Errorf("%d tests are listed, want %d", n, slowest)
	}
}

func TestLeftOut(t *testing.T) {
	in := skipped("SKIPPED: left out of the short run: needs kpt") + skipped("SKIPPED: left out of the short run: sixty seconds") +
		skipped("SKIPPED: left out of the short run: needs kpt")
	want := "\n======== LEFT OUT OF THE SHORT RUN: make test-all runs these ========\n     2  needs kpt\n     1  sixty seconds\n" +
		"3 passed, 0 failed, 3 skipped\n"
	got, ok := run(t, in, nil)
	if _, summary, _ := strings.Cut(got, "ok  \tp\t0.1s\nok  \tp\t0.1s\nok  \tp\t0.1s\n"); summary != want || !ok {
		t.Errorf("what a short run leaves out is counted by reason: ok = %v (-want +got):\n%s", ok, cmp.Diff(want, summary))
	}
	if got, ok := run(t, ended("p", "TestB", 0)+in, []string{"kpt"}); !ok {
		t.Errorf("what a full run beside the short one has passed is not left out:\n%s", got)
	}
	if _, ok := run(t, in, []string{"kpt"}); ok {
		t.Error("a run that requires a part may leave nothing out")
	}
}
