package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// evalCase is one command line, given to kpt and to us.
type evalCase struct {
	reason string
	args   []string
	stdin  string
	files  string // a txtar archive over testdata/kpteval/base.txtar
	// differs is the row of kpt-differences.md that the case shows; "" wants all to be the same.
	differs string
}

// TestEvalSameAsKpt evaluates functions with the real kpt and with ours: same exit status, same
// files and same stdout to the byte, the same functions reported, the first time and the second.
func TestEvalSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	base, err := os.ReadFile("testdata/kpteval/base.txtar")
	if err != nil {
		t.Fatal(err)
	}
	onPath(t, filepath.Join(writeArchive(t, string(base)), "bin"))
	t.Setenv("KPT_FN_RUNTIME", "docker")
	t.Setenv("KPT_IMAGE_PREFIX", "gcr.io/kpt-fn") // what this release of kpt has built in
	t.Setenv("PASSED_ON", "value")
	for name, tc := range evalCases() {
		t.Run(name, func(t *testing.T) { tc.compare(t, string(base)) })
	}
}

func (tc *evalCase) compare(t *testing.T, base string) {
	theirs, ours := writeArchive(t, base+tc.files), writeArchive(t, base+tc.files)
	before := texts(t, ours)
	for _, round := range []string{"first", "second"} {
		got := tc.withOurs(t, ours)
		diff := cmp.Diff(tc.withKpt(t, theirs), got)
		if tc.differs != "" {
			if diff == "" {
				t.Errorf("%s\nthis is no difference to kpt (any more)", tc.reason)
			}
			return
		}
		if diff != "" {
			t.Fatalf("%s\n%s run (-kpt +waybill):\n%s", tc.reason, round, diff)
		}
		if got.Failed || cmp.Equal(asInKpt(before), got.Files) { // a second time would show no more
			return
		}
	}
}

// evalOutcome is what came of a command line.
type evalOutcome struct {
	Failed   bool
	Stdout   string
	Progress []string
	Files    map[string]string
}

func (tc *evalCase) withKpt(t *testing.T, dir string) evalOutcome {
	t.Helper()
	var out, messages strings.Builder
	cmd := exec.Command("kpt", append([]string{"fn", "eval"}, tc.args...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(tc.stdin), &out, &messages
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	t.Logf("kpt: %s", messages.String())
	return evalOutcome{exit != nil, out.String(), messagesOf(messages.String()), asInKpt(texts(t, dir))}
}

// asInKpt leaves out the arguments for an engine that only Waybill sets, and their order.
func asInKpt(files map[string]string) map[string]string {
	if files["engine"] == "" {
		return files
	}
	var calls []string
	for call := range strings.Lines(files["engine"]) {
		var options []string
		for _, option := range engineOption.FindAllString(call, -1) {
			if !stricter.MatchString(option) {
				options = append(options, strings.TrimSpace(option))
			}
		}
		slices.Sort(options)
		calls = append(calls, strings.Join(options, "\n"))
	}
	files["engine"] = strings.Join(calls, "\n\n")
	return files
}

var (
	// engineOption matches an option with its value; what stands alone (run, the image) as well.
	engineOption = regexp.MustCompile(`(--rm|--read-only|-i|--[a-z-]+=\S*|--?[a-z-]+ \S+|[^-\s]\S*)(\s|$)`)
	stricter     = regexp.MustCompile(`^--(name|read-only|cap-drop|pids-limit|memory|memory-swap|tmpfs|log-driver)\b`)
)

// withOurs also checks a law of ours: after a failure, only results are written.
func (tc *evalCase) withOurs(t *testing.T, dir string) evalOutcome {
	t.Helper()
	t.Chdir(dir)
	before := texts(t, dir)
	r := runCLIOn(t, tc.stdin, append([]string{"fn", "eval"}, tc.args...)...)
	t.Logf("waybill: %s", r.stderr)
	after := texts(t, dir)
	if r.code != exitDone {
		written := func(file string, _ string) bool { return file == "engine" || strings.HasPrefix(file, "results/") }
		if diff := cmp.Diff(without(before, written), without(after, written)); diff != "" || r.stdout != "" {
			t.Errorf("it failed and wrote (-before +after):\n%s\n%s", diff, r.stdout)
		}
	}
	return evalOutcome{r.code != exitDone, r.stdout, messagesOf(r.stderr), asInKpt(after)}
}

func without(files map[string]string, drop func(file, text string) bool) map[string]string {
	out := map[string]string{}
	for file, text := range files {
		if !drop(file, text) {
			out[file] = text
		}
	}
	return out
}

var (
	toldLine = regexp.MustCompile(`(?m)^(\[(RUNNING|PASS|FAIL)\]|Added|Updated|function not added|For complete results).*$`)
	toldHow  = regexp.MustCompile(` in [0-9.]+m?s$| \((exec|docker|in-process)\)$`)
)

// messagesOf returns the messages of a run about functions, without runner and duration.
func messagesOf(stderr string) (lines []string) {
	for _, line := range toldLine.FindAllString(stderr, -1) {
		lines = append(lines, toldHow.ReplaceAllString(line, ""))
	}
	return lines
}

// TestEvalKptDifferences holds the page to the cases: every difference that a case shows is a row
// of the table about eval, and every case that a row names is there and shows it.
func TestEvalKptDifferences(t *testing.T) {
	page, err := os.ReadFile("../../docs/kpt-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), evalSection)
	if !found {
		t.Fatalf("the page has no %q", evalSection)
	}
	var want []string
	for name, tc := range evalCases() {
		if tc.differs != "" {
			want = append(want, fmt.Sprintf("%s: %s", tc.differs, name))
		}
	}
	got := rowsWithCases(section)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows and the cases that show them (-cases +page):\n%s", diff)
	}
}

// evalSection is the heading of the part of kpt-differences.md that is about eval.
const evalSection = "\n## Where `waybill fn eval` differs from `kpt fn eval`\n"
