package upstream_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestSameAsKptCommands does what the cases in testdata/kpt say, with the real kpt and with waybill: both give
// the same after each command, file by file and object by object, or both refuse. The comment of a case
// is a line that says why it exists, and its commands:
//
//	get NAME.git/DIR[@REF] [--strategy=S] [--for-deployment]
//	update [DIR][@REF] [--strategy=S]
//	replace FILE "before" "after"      in both copies
//	write FILE                         with the file write:FILE of the case
//	delete FILE
//	over http                          before all others: the repositories are there
//
// A "!" before a get or update says that both refuse, and "!kpt" that only kpt does, for the reason that a
// line "row NAME" before it names; after it the case ends. What else is in the case: repositories (see
// openRepositories); "rows", those of the page in docs that the differences belong to, each of which has to show;
// "bytes", the files which have the same data and other bytes in ours after the last command; "has" and
// "lacks", what must be in which file.
func TestSameAsKptCommands(t *testing.T) {
	testenv.Need(t, testenv.Kpt, testenv.Git)
	for _, file := range kptCases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			c := readCase(t, file)
			c.open(t)
			for _, line := range c.commands {
				if !c.do(t, line) {
					break
				}
			}
			c.check(t)
		})
	}
}

func kptCases(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/kpt/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	return files
}

var updateKpt = flag.Bool("update-kpt", false, "record again which rows and bytes show in the cases of testdata/kpt")

// record writes the result to the case.
func (c *kptCase) record(t *testing.T) {
	t.Helper()
	c.archive.Files = slices.DeleteFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "rows" || f.Name == "bytes" })
	for _, name := range []string{"rows", "bytes"} {
		lines := map[string][]string{"rows": c.rows, "bytes": c.bytes}[name]
		if lines = slices.Compact(slices.Sorted(slices.Values(lines))); len(lines) > 0 {
			c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(strings.Join(lines, "\n") + "\n")})
		}
	}
	if err := os.WriteFile(c.file, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// check compares the result with the case.
func (c *kptCase) check(t *testing.T) {
	t.Helper()
	if *updateKpt {
		c.record(t)
		return
	}
	if diff := cmp.Diff(c.lines("rows"), slices.Compact(slices.Sorted(slices.Values(c.rows)))); diff != "" {
		t.Errorf("%s\nrows of the page (-case +now):\n%s", c.reason, diff)
	}
	if diff := cmp.Diff(c.lines("bytes"), slices.Sorted(slices.Values(c.bytes))); diff != "" {
		t.Errorf("%s\nfiles of other bytes (-case +now):\n%s", c.reason, diff)
	}
	for _, line := range append(c.lines("has"), c.lines("lacks")...) {
		file, text, _ := strings.Cut(line, " ")
		data, err := os.ReadFile(filepath.Join(c.dirs()[1], file))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if has := strings.Contains(string(data), text); has != slices.Contains(c.lines("has"), line) {
			t.Errorf("%s\n%s, %q: %v", c.reason, file, text, has)
		}
	}
}
