package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// generatedCases is how many packages an ordinary test run makes up.
const generatedCases = 150

// TestGeneratedSameAsKpt makes up packages and renders each with the real kpt and with ours: same
// exit status, same tree to the byte, same results, and a second render by ours changes nothing.
// WAYBILL_SEED=n does one again, WAYBILL_CASES=n does more of them.
func TestGeneratedSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	bin := t.TempDir()
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", filepath.Join(bin, "kptfn"), "./testdata/generated")
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", bin+"/", "../../functions/set-labels", "../../functions/set-namespace")
	still := t.TempDir() // has the same programs, and they do nothing
	for _, name := range []string{"kptfn", "set-labels", "set-namespace"} {
		writeFile(t, filepath.Join(still, name), "#!/bin/sh\nexec cat\n", 0o755)
	}
	stillPath := still + string(os.PathListSeparator) + os.Getenv("PATH")
	onPath(t, bin)
	for _, seed := range testenv.Seeds(t, generatedCases) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			g := generate(seed)
			if said := g.compare(t, stillPath); said != "" {
				t.Errorf("WAYBILL_SEED=%d: %s\nthe package:\n%s", seed, said, g.archive())
			}
		})
	}
}

func (g *generated) archive() string {
	a := &txtar.Archive{}
	for _, file := range slices.Sorted(maps.Keys(g.files)) {
		a.Files = append(a.Files, txtar.File{Name: "pkg/" + file, Data: []byte(g.files[file])})
	}
	return string(txtar.Format(a))
}

func (g *generated) write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pkg")
	for file, text := range g.files {
		writeFile(t, filepath.Join(dir, file), text, 0o644)
	}
	return dir
}

// compare says how what the two make of the package differs, "" when it does not.
func (g *generated) compare(t *testing.T, stillPath string) string {
	theirs := g.write(t)
	if g.normal {
		_ = withPath(exec.Command("kpt", "fn", "render", theirs, "--allow-exec"), stillPath).Run()
	}
	before := texts(t, theirs)
	g.files = before // what a failure shows is what was rendered
	ours := g.write(t)
	results := t.TempDir()
	kpt := rendering{tree: theirs, results: filepath.Join(results, "kpt")}
	kpt.out, kpt.err = exec.Command("kpt", "fn", "render", theirs, "--allow-exec", "--results-dir", kpt.results).CombinedOutput()
	var exit *exec.ExitError
	if kpt.err != nil && !errors.As(kpt.err, &exit) {
		t.Fatal(kpt.err)
	}
	our := filepath.Join(results, "waybill")
	r := runCLI(t, "fn", "render", ours, "--allow-exec", "--results-dir", our)
	after := texts(t, ours)
	said := g.differs(kpt, before, texts(t, theirs), after, r)
	if said == "" {
		said = differingResults(t, kpt.results, our, r)
	}
	if said == "" && r.code == exitDone && g.idempotent {
		said = g.again(t, ours, after)
	}
	if said != "" {
		said = fmt.Sprintf("%s\nkpt: %v\n%s\nwaybill: exit code %d\n%s", said, kpt.err, kpt.out, r.code, r.stderr)
	}
	return said
}

// rendering is what came of rendering with kpt.
type rendering struct {
	tree, results string
	out           []byte
	err           error
}

func withPath(cmd *exec.Cmd, path string) *exec.Cmd {
	cmd.Env = append(os.Environ(), "PATH="+path)
	return cmd
}

// differs compares exit status and files: byte for byte on a package that kpt has formatted, else by
// what they say.
func (g *generated) differs(kpt rendering, before, theirs, ours map[string]string, r cliRun) string {
	if (kpt.err == nil) != (r.code == exitDone) {
		if kpt.err == nil && refusedOnPurpose.MatchString(r.stderr) {
			return cmp.Diff(before, ours)
		}
		return "one passes, the other fails"
	}
	if kpt.err != nil {
		return cmp.Diff(before, ours)
	}
	if g.restyled || !g.normal {
		theirs, ours = meanings(theirs), meanings(ours)
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		return "(-kpt +waybill):\n" + diff
	}
	return ""
}

// refusedOnPurpose matches what we say of a package that kpt renders and we do not, as
// kpt-differences.md has it.
var refusedOnPurpose = regexp.MustCompile(`which would delete the package; refused`)

// meanings is what the YAML files say, however it is written.
func meanings(files map[string]string) map[string]string {
	out := maps.Clone(files)
	for file, text := range files {
		objs, err := krm.Read(file, []byte(text), krm.Limits{})
		if err != nil {
			continue // no YAML, or an odd file that both left alone
		}
		var said []string
		for _, o := range objs {
			v, err := krm.Value(o.Node())
			text := fmt.Sprintf("%#v %v", v, err)
			said = append(said, strings.ReplaceAll(text, `"annotations":map[string]interface {}{}, `, "")) // kpt drops empty ones
		}
		out[file] = strings.Join(said, "\n")
	}
	return out
}

func (g *generated) again(t *testing.T, dir string, before map[string]string) string {
	if r := runCLI(t, "fn", "render", dir, "--allow-exec"); r.code != exitDone {
		return fmt.Sprintf("the second render: exit code %d\n%s", r.code, r.stderr)
	}
	if diff := cmp.Diff(before, texts(t, dir)); diff != "" {
		return "the second render changes (-first +second):\n" + diff
	}
	return ""
}
