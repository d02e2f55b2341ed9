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
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestSameAsKpt renders small packages with the real kpt and with ours: same exit status, same
// tree to the byte. A case is a txtar archive: the package in pkg/, programs in bin/. One with a
// file called "differs" is a difference that we want and kpt-differences.md explains; it has to
// be there, or the page is wrong.
func TestSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	functions := t.TempDir()
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", functions+"/", "../../functions/...")
	onPath(t, functions)
	for _, file := range kptCases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { compareWithKpt(t, file) })
	}
}

func kptCases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/kpt/*.txtar")
	if err != nil || len(files) < 12 {
		t.Fatalf("only %d cases (%v)", len(files), err)
	}
	return files
}

func compareWithKpt(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	reason, differs := strings.TrimSpace(string(txtar.Parse(text).Comment)), difference(t, file) != ""
	theirs, ours := writeArchive(t, string(text)), writeArchive(t, string(text))
	onPath(t, filepath.Join(ours, "bin"))
	theirs, ours = filepath.Join(theirs, "pkg"), filepath.Join(ours, "pkg")
	if differs {
		if said := renderBoth(t, theirs, ours); said == "" {
			t.Errorf("%s\nthis is no difference to kpt (any more)", reason)
		}
		return
	}
	normalize(t, theirs)
	normalize(t, ours)
	for _, round := range []string{"first", "second"} {
		if said := renderBoth(t, theirs, ours); said != "" {
			t.Errorf("%s\n%s render: %s", reason, round, said)
		}
	}
}

// renderBoth renders a folder with kpt and another with ours, and says how what came of it differs.
func renderBoth(t *testing.T, theirs, ours string) string {
	t.Helper()
	out, err := exec.Command("kpt", "fn", "render", theirs, "--allow-exec").CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := runCLI(t, "fn", "render", ours, "--allow-exec")
	diff := cmp.Diff(texts(t, theirs), texts(t, ours))
	if diff == "" && (exit == nil) == (r.code == exitDone) {
		return ""
	}
	return fmt.Sprintf("kpt: %v\n%s\nwaybill: exit code %d\n%s\n(-kpt +waybill):\n%s", err, out, r.code, r.stderr, diff)
}

// normalize has kpt write every file its way: it renders the package without pipelines.
func normalize(t *testing.T, dir string) {
	t.Helper()
	before := readTree(t, dir)
	plain, back := map[string][]byte{}, map[string][]byte{}
	pipeline := regexp.MustCompile(`(?ms)^pipeline:\n(?: .*?\n)*`)
	for p, b := range before.All() {
		if filepath.Base(p) == "Kptfile" {
			plain[p], back[p] = pipeline.ReplaceAll(b.Data(), nil), b.Data()
		}
	}
	replaceFiles(t, dir, plain)
	// What cannot be read cannot be put in order; that is what such a case is about.
	_ = exec.Command("kpt", "fn", "render", dir).Run()
	replaceFiles(t, dir, back)
}

func replaceFiles(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	before := readTree(t, dir)
	after, err := before.Apply(files)
	if err == nil {
		err = pkgtree.WriteDir(dir, before, after)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for p, b := range readTree(t, dir).All() {
		out[p] = string(b.Data())
	}
	return out
}

// difference is the row of kpt-differences.md that a case shows, "" when it shows none.
func difference(t *testing.T, file string) string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name == "differs" {
			return strings.TrimSpace(string(f.Data))
		}
	}
	return ""
}

// TestKptDifferences holds the page to the cases: every difference that a case shows is a row
// there, and every case or test that a row names is there and shows it.
func TestKptDifferences(t *testing.T) {
	page, err := os.ReadFile("../../docs/kpt-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, file := range kptCases(t) {
		if row := difference(t, file); row != "" {
			want = append(want, row+": "+strings.TrimSuffix(filepath.Base(file), ".txtar"))
		}
	}
	section, _, _ := strings.Cut(string(page), evalSection)
	for _, m := range regexp.MustCompile(`(?m)^\| (.+?) \|.*\| (.+?) \|$`).FindAllStringSubmatch(section, -1) {
		for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(m[2], -1) {
			got = append(got, m[1]+": "+name[1])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows and the cases that show them (-cases +page):\n%s", diff)
	}
}
