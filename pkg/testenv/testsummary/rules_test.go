package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// skipped is a stream in which one test passes and one is skipped for the reason.
func skipped(reason string) string {
	return line("start", "", "") +
		line("run", "TestA", "") + line("pass", "TestA", "") +
		line("run", "TestB", "") + line("output", "TestB", `    b_test.go:7: `+reason+`\n`) +
		line("output", "TestB", `--- SKIP: TestB (0.00s)\n`) + line("skip", "TestB", "") +
		line("output", "", `ok  \tp\t0.1s\n`) + line("pass", "", "")
}

func line(action, test, output string) string {
	return fmt.Sprintf(`{"Action":%q,"Package":"p","Test":%q,"Output":"%s"}`+"\n", action, test, output)
}

func TestRequired(t *testing.T) {
	const needs = "SKIPPED: this check needs a working podman: not found"
	cases := map[string]struct {
		reason   string
		in       string
		required string
		want     string
		ok       bool
	}{
		"Laptop": {
			reason: "where nothing is required every skip is fine, and shown",
			in:     skipped(needs),
			want: "ok  \tp\t0.1s\n\n======== NOT CHECKED HERE ========\np TestB: this check needs a working podman: not found\n\n" +
				"1 passed, 0 failed, 1 skipped\n",
			ok: true,
		},
		"PartNotRequired": {
			reason:   "a part that is not in the list may be lacking",
			in:       skipped(needs),
			required: "git, kpt",
			want: "ok  \tp\t0.1s\n\n======== NOT CHECKED HERE ========\np TestB: this check needs a working podman: not found\n\n" +
				"1 passed, 0 failed, 1 skipped\n",
			ok: true,
		},
		"PartRequired": {
			reason:   "with every part there nothing has a reason to skip",
			in:       skipped(needs),
			required: "git,kpt,podman",
			want: "ok  \tp\t0.1s\n\n======== NOT CHECKED HERE ========\np TestB: this check needs a working podman: not found\n\n" +
				"ERROR: p TestB was skipped, and WAYBILL_REQUIRE=git,kpt,podman allows no such skip\n" +
				"1 passed, 0 failed, 1 skipped\n",
		},
		"SkipOfItsOwn": {
			reason:   "in CI a test may not excuse itself with anything but a part",
			in:       skipped("too slow"),
			required: "git",
			want: "ok  \tp\t0.1s\n\n======== NOT CHECKED HERE ========\np TestB: too slow\n\n" +
				"ERROR: p TestB was skipped, and WAYBILL_REQUIRE=git allows no such skip\n" +
				"1 passed, 0 failed, 1 skipped\n",
		},
		"CutOff": {
			reason: "a stream that ends in the middle of a package says nothing about that package",
			in:     line("start", "", "") + line("run", "TestA", "") + line("pass", "TestA", ""),
			want:   "ERROR: p never finished\n1 passed, 0 failed, 0 skipped\n",
		},
		"NotJSON": {
			reason: "messages of the go command are passed on and prove nothing",
			in:     "go: cannot find main module\n{}\n",
			want:   "go: cannot find main module\n{}\nERROR: no test ran\n0 passed, 0 failed, 0 skipped\n",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := run(t, tc.in, required(tc.required))
			if diff := cmp.Diff(tc.want, got); diff != "" || ok != tc.ok {
				t.Errorf("%s: ok = %v, want %v (-want +got):\n%s", tc.reason, ok, tc.ok, diff)
			}
		})
	}
}

// caught takes the words of a skip instead of skipping.
type caught struct {
	testing.TB
	words string
}

func (c *caught) Helper()                       {}
func (c *caught) Skipf(format string, a ...any) { c.words = fmt.Sprintf(format, a...) }

// TestWordsOfASkip holds the excuse that this program looks for against the words that testenv uses.
func TestWordsOfASkip(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("WAYBILL_REQUIRE", "")
	for _, part := range []testenv.Part{testenv.Git, testenv.Kpt, testenv.Podman} {
		c := &caught{TB: t}
		testenv.Need(c, part)
		k := skip{reason: reason([]string{"    x_test.go:1: " + c.words + "\n"})}
		if !k.excused([]string{"another"}) || k.excused([]string{string(part)}) {
			t.Errorf("%q is not understood as an excuse for lacking %q and nothing else", c.words, part)
		}
	}
}

func TestNote(t *testing.T) {
	var out strings.Builder
	if _, err := summarise(strings.NewReader(""), &out, "data races", nil); err != nil {
		t.Fatal(err)
	}
	want := "\n======== NOT CHECKED HERE ========\ndata races\n\nERROR: no test ran\n0 passed, 0 failed, 0 skipped\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("what else was not checked stands with the skips (-want +got):\n%s", diff)
	}
}

func TestBrokenPipe(t *testing.T) {
	broken := errors.New("broken pipe")
	ok, err := summarise(iotest.ErrReader(broken), io.Discard, "", nil)
	if ok || !errors.Is(err, broken) {
		t.Errorf("a stream that cannot be read gives %v, %v; want a refusal that says why", ok, err)
	}
}

var lastLine = regexp.MustCompile(`(?:^|\n)(\d+) passed, (\d+) failed, (\d+) skipped\n$`)

// FuzzSummarise: whatever comes in, the counts end the output, alone on their line, and only a
// stream in which something passed or was skipped and nothing failed is good.
func FuzzSummarise(f *testing.F) {
	f.Add(skipped("SKIPPED: this check needs a working git: gone"))
	f.Add("no event\n" + line("fail", "TestA/b/c", "") + line("fail", "TestA", ""))
	f.Add(line("output", "", "no end of line") + line("pass", "/", ""))
	f.Fuzz(func(t *testing.T, in string) {
		out, ok := run(t, in, nil)
		counts := lastLine.FindStringSubmatch(out)
		if counts == nil {
			t.Fatalf("the counts are not alone on the last line of %q", out)
		}
		if ok && (counts[2] != "0" || counts[1] == "0" && counts[3] == "0") {
			t.Errorf("%q passes as good", out)
		}
	})
}
