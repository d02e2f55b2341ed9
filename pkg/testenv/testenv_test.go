package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recorder is a testing.TB that notes how a check ends instead of ending it.
type recorder struct {
	testing.TB
	end string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.end = "fails: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, args ...any) {
	r.end = "skips: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// endOf runs check as a test would be run and says how it ended.
func endOf(t *testing.T, check func(testing.TB)) string {
	r := &recorder{TB: t, end: "died"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		check(r)
		r.end = "runs"
	}()
	<-done
	return r.end
}

func TestNeed(t *testing.T) {
	cases := map[string]struct {
		reason  string
		require string
		git     string // the program that is found as git; "" for none
		need    []Part
		want    string
	}{
		"there":               {"nothing to say", "", "exit 0", []Part{Git}, "runs"},
		"there and required":  {"nothing to say either", "git,kpt", "exit 0", []Part{Git}, "runs"},
		"no part":             {"a check that needs nothing", "git", "", nil, "runs"},
		"missing":             {"a laptop skips, loudly and by name", "", "", []Part{Git}, "skips: SKIPPED: this check needs a working git: "},
		"missing, others":     {"what is required is another part", "kpt,podman", "", []Part{Git}, "skips: SKIPPED: this check needs a working git: "},
		"missing, required":   {"CI fails", "kpt,git", "", []Part{Git}, "fails: WAYBILL_REQUIRE names git, which does not work here: "},
		"blanks":              {"blanks in the list do not hide a name", " kpt , git ", "", []Part{Git}, "fails: WAYBILL_REQUIRE names git, which does not work here: "},
		"broken":              {"installed is not working, and it says why", "git", "echo no such library; exit 3", []Part{Git}, "fails: WAYBILL_REQUIRE names git, which does not work here: exit status 3 no such library; install git"},
		"one of several":      {"all of them are needed", "", "exit 0", []Part{Git, Kpt}, "skips: SKIPPED: this check needs a working kpt: "},
		"misspelt":            {"a misspelt name would require nothing", "gti", "exit 0", []Part{Git}, `fails: WAYBILL_REQUIRE names "gti", which is none of [apiserver chromium cosign dot flux git goreleaser helm hugo kpt ocm podman porch registry release sshd]`},
		"required, not asked": {"a part that this check does not need is not tried", "apiserver", "exit 0", []Part{Git}, "runs"},
		"not a part":          {"a check that asks for an unknown part", "", "exit 0", []Part{"svn"}, `fails: "svn" is none of [apiserver chromium cosign dot flux git goreleaser helm hugo kpt ocm podman porch registry release sshd]`},
		"longer name":         {"only whole names count", "apiserver", "", []Part{Git}, "skips: SKIPPED: this check needs a working git: "},
		"empty list elements": {"a trailing comma is no name", "git,,", "exit 0", []Part{Git}, "runs"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Setenv("WAYBILL_SHORT", "")
			t.Setenv("WAYBILL_REQUIRE", c.require)
			t.Setenv("PATH", pathWith(t, c.git))
			got := endOf(t, func(tb testing.TB) { Need(tb, c.need...) })
			if strings.HasSuffix(c.want, ": ") && len(got) > len(c.want) { // the system's words follow
				got = got[:len(c.want)]
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestShort(t *testing.T) {
	cases := map[string]struct {
		reason  string
		require string
		check   func(testing.TB)
		want    string
	}{
		"git":      {"what needs Git alone is quick", "", func(t testing.TB) { Need(t, Git) }, "runs"},
		"others":   {"a part that takes long is not tried", "", func(t testing.TB) { Need(t, Git, Podman) }, "skips: SKIPPED: left out of the short run: needs podman"},
		"required": {"what is required is checked in a short run, too", "kpt", func(t testing.TB) { Need(t, Kpt) }, "fails: WAYBILL_REQUIRE names kpt, which does not work here: "},
		"long":     {"what takes long by itself", "", func(t testing.TB) { Long(t, "sixty seconds") }, "skips: SKIPPED: left out of the short run: sixty seconds"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Setenv("WAYBILL_SHORT", "1")
			t.Setenv("WAYBILL_REQUIRE", c.require)
			t.Setenv("PATH", pathWith(t, "exit 0"))
			if got := endOf(t, c.check); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: it %s, want %s", c.reason, got, c.want)
			}
		})
	}
}

// pathWith is a directory that holds no program but a git made of that shell line.
func pathWith(t *testing.T, line string) string {
	dir := t.TempDir()
	if line == "" {
		return dir
	}
	script := "#!/bin/sh\n" + line + "\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil { // #nosec G306 -- a program must be executable
		t.Fatal(err)
	}
	return dir
}

func TestRequired(t *testing.T) {
	t.Setenv("WAYBILL_REQUIRE", "git, podman")
	if !Required(Git) || !Required(Podman) || Required(Kpt) || Required("") {
		t.Error("exactly the named parts are required")
	}
}
