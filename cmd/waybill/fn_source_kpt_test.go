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

// pipeOutcome is what came of one end of a pipe.
type pipeOutcome struct {
	Failed bool
	Stdout string
	Files  map[string]string
}

// runPipe runs program, kpt or waybill, with a line of arguments in dir.
func runPipe(t *testing.T, program, dir, stdin string, args ...string) pipeOutcome {
	t.Helper()
	var out, messages strings.Builder
	cmd := exec.Command(program, append([]string{"fn"}, args...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &messages
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	t.Logf("%s %q: %v %s", program, args, exit, messages.String())
	return pipeOutcome{exit != nil, out.String(), everything(t, dir)}
}

// everything is what stands in dir: files with their text, folders and links.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, text := range snapshot(t, dir) {
		mode, content, _ := strings.Cut(text, "\n")
		out[name] = mode[:1] + content
	}
	return out
}

// kptAndPrograms puts the programs of testdata/kpteval/base.txtar on the PATH, where kpt has to be, and
// returns what that archive holds.
func kptAndPrograms(t *testing.T) string {
	t.Helper()
	testenv.Need(t, testenv.Kpt)
	base, err := os.ReadFile("testdata/kpteval/base.txtar")
	if err != nil {
		t.Fatal(err)
	}
	onPath(t, filepath.Join(writeArchive(t, string(base)), "bin"))
	return string(base)
}

// compareEnds runs both programs on the same, and wants the same, or what a row explains.
func (tc *pipeCase) compareEnds(t *testing.T, base, verb string) {
	theirs, ours := writeArchive(t, base+tc.files), writeArchive(t, base+tc.files)
	if tc.prepare != nil {
		tc.prepare(t, theirs)
		tc.prepare(t, ours)
	}
	args := append([]string{verb}, tc.args...)
	before := everything(t, ours)
	got := runPipe(t, "waybill", ours, tc.stdin, args...)
	if got.Failed {
		if diff := cmp.Diff(before, got.Files); diff != "" || got.Stdout != "" {
			t.Errorf("it failed and wrote (-before +after):\n%s\n%s", diff, got.Stdout)
		}
	}
	diff := cmp.Diff(runPipe(t, "kpt", theirs, tc.stdin, args...), got)
	if (diff != "") != (tc.differs != "") {
		t.Errorf("%s\nwant a difference: %v (-kpt +waybill):\n%s", tc.reason, tc.differs != "", diff)
	}
}

// TestPipeSameAsKpt prints folders, and writes what comes through a pipe, with the real kpt and with
// ours: same exit status, same stdout, same files.
func TestPipeSameAsKpt(t *testing.T) {
	base := kptAndPrograms(t)
	onPath(t, buildWaybill(t))
	for name, tc := range sourceCases {
		t.Run("source/"+name, func(t *testing.T) { tc.compareEnds(t, base, "source") })
	}
	for name, tc := range sinkCases {
		t.Run("sink/"+name, func(t *testing.T) { tc.compareEnds(t, base, "sink") })
	}
	for name, tc := range sourceCases {
		if tc.differs == "" && len(tc.args) == 1 && !tc.noKRM && !tc.fails {
			t.Run("pipe/"+name, func(t *testing.T) { tc.pipe(t, writeArchive(t, base+tc.files)) })
		}
	}
}

// pipe pipes a package through source, eval and sink, with either program at each place: the files that
// come out are the same.
func (tc *pipeCase) pipe(t *testing.T, dir string) {
	programs := []string{"kpt", "waybill"}
	var want map[string]string
	for i := range 8 {
		a, b, c := programs[i&1], programs[i>>1&1], programs[i>>2&1]
		out := filepath.Join(t.TempDir(), "out")
		line := fmt.Sprintf("%s fn source %s | %s fn eval - --exec bump | %s fn sink %s", a, tc.args[0], b, c, out)
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, said)
		}
		if want == nil {
			want = texts(t, out)
		}
		if diff := cmp.Diff(want, texts(t, out)); diff != "" || len(want) == 0 {
			t.Errorf("%s (-only kpt +this):\n%s", line, diff)
		}
	}
}

// pipeSection is the heading of the part of kpt-differences.md that is about source and sink.
const pipeSection = "\n## Where `waybill fn source` and `fn sink` differ from kpt's\n"

// TestPipeKptDifferences holds the page to the cases, as TestEvalKptDifferences does.
func TestPipeKptDifferences(t *testing.T) {
	page, err := os.ReadFile("../../docs/kpt-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), pipeSection)
	if !found {
		t.Fatalf("the page has no %q", pipeSection)
	}
	var want []string
	for _, cases := range []map[string]pipeCase{sourceCases, sinkCases} {
		for name, tc := range cases {
			if tc.differs != "" {
				want = append(want, fmt.Sprintf("%s: %s", tc.differs, name))
			}
		}
	}
	got := rowsWithCases(section)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows and the cases that show them (-cases +page):\n%s", diff)
	}
}

// rowsWithCases is each case that the rows of a section name, behind what the row is about.
func rowsWithCases(section string) (rows []string) {
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile(`(?m)^\| (.+?) \|.*\| (.*?) \|$`).FindAllStringSubmatch(section, -1) {
		for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(m[2], -1) {
			rows = append(rows, m[1]+": "+name[1])
		}
	}
	slices.Sort(rows)
	return rows
}
