package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// built is a waybill of this tree.
func built(t *testing.T) string {
	t.Helper()
	testenv.Need(t, testenv.Git)
	testenv.Long(t, "it builds waybill, and starts it a hundred times")
	file := filepath.Join(t.TempDir(), "waybill")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", file, "../../../cmd/waybill").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// small is a simulation that takes seconds.
func small(waybill string, commits int) options {
	return options{clusters: 12, objects: 10, commits: commits, sample: 4, seed: 1, waybill: waybill, output: "json"}
}

// TestSimulation simulates with a waybill of this tree.
func TestSimulation(t *testing.T) {
	waybill := built(t)
	for name, test := range map[string]func(*testing.T, string){"kinds": everyKind, "seed": sameSeed, "broken": lawsBroken} {
		t.Run(name, func(t *testing.T) { test(t, waybill) })
	}
}

// everyKind makes each kind of step once. Every law must have been checked, and every kind measured.
func everyKind(t *testing.T, waybill string) {
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	if err := run(t.Context(), small(waybill, len(kinds)), &out); err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	broken := map[string]bool{}
	for _, c := range wrongWaybills {
		broken[c.law] = true
		if r.Laws[c.law] == 0 {
			t.Errorf("never checked: %s", c.law)
		}
	}
	if len(broken) != len(r.Laws) {
		t.Errorf("tests break %v, and a year checks %v", sortedKeys(broken), sortedKeys(r.Laws))
	}
	for _, k := range kinds {
		if !slices.ContainsFunc(r.Rows, func(row *row) bool { return row.Step == k.name && len(row.Runs) > 0 && row.Runs[0].Wall > 0 }) {
			t.Errorf("nothing was measured of %q", k.name)
		}
	}
	if r.Killed == 0 {
		t.Error("no command was killed")
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v behind: %v", left, err)
	}
}

// sameSeed runs twice: the commits are the same. Another seed makes others.
func sameSeed(t *testing.T, waybill string) {
	var ends []map[string]string
	for _, seed := range []uint64{1, 1, 2} {
		o := small(waybill, 2)
		o.seed = seed
		var out bytes.Buffer
		if err := run(t.Context(), o, &out); err != nil {
			t.Fatal(err)
		}
		var r report
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, r.Commits)
	}
	if diff := cmp.Diff(ends[0], ends[1]); diff != "" || len(ends[0]) != 2 {
		t.Errorf("the same seed ends at other commits (-first +second):\n%s", diff)
	}
	if cmp.Equal(ends[0], ends[2]) {
		t.Error("another seed ends at the same commits")
	}
}

// TestValid checks sizes that are too small or too large to simulate.
func TestValid(t *testing.T) {
	for want, sizes := range map[bool][][4]int{
		true:  {{8, 10, 1, 1}, {maxClusters, maxObjects, 1 << 30, 1 << 30}},
		false: {{7, 10, 1, 1}, {8, 9, 1, 1}, {8, 10, 0, 1}, {8, 10, 1, 0}, {maxClusters + 1, 10, 1, 1}, {8, maxObjects + 1, 1, 1}, {-8, 10, 1, 1}},
	} {
		for _, s := range sizes {
			if got := (options{clusters: s[0], objects: s[1], commits: s[2], sample: s[3], output: "json"}).valid(); got != want {
				t.Errorf("%v: %t", s, got)
			}
		}
	}
}

// TestPreviewLaw has a preview name too much and too little.
func TestPreviewLaw(t *testing.T) {
	a, b := changed{"edge-1", "changed", "Deployment/a"}, changed{"edge-2", "changed", "Deployment/a"}
	for reason, c := range map[string]struct {
		named, happened map[changed]bool
		broken          bool
	}{
		"the same":         {map[changed]bool{a: true, b: true}, map[changed]bool{a: true, b: true}, false},
		"a cluster missed": {map[changed]bool{a: true}, map[changed]bool{a: true, b: true}, true},
		"one too many":     {map[changed]bool{a: true, b: true}, map[changed]bool{a: true}, true},
	} {
		s := &simulation{report: newReport(options{})}
		if err := s.checkPreview(c.named, c.happened); (err != nil) != c.broken {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// TestPage writes a report between the marks of a page, twice, and no page without marks. The page of the documentation has the
// tables of today.
func TestPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(file, []byte("a\n"+pageBegin+"old\n"+pageEnd+"b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newReport(small("waybill", 3))
	r.add(kinds[0].name, "render", cost{3, 1500 * time.Millisecond, time.Second, 2e6, 3e7, 400})
	r.add(kinds[0].name, "git push", cost{3, 500 * time.Millisecond, time.Second, 1e6, 0, 1000})
	r.add(kinds[1].name, "git push", cost{4, 700 * time.Millisecond, time.Second, 1e6, 0, 1000})
	r.add(floorKind, "git push", cost{4, 5 * time.Second, time.Second, 1e6, 0, 0})
	r.Seconds = 10
	r.Laws[lawAgain] = 7
	for range 2 {
		if err := r.writePage(file); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a\n" + pageBegin + "\n    make sim CLUSTERS=12 OBJECTS=10 COMMITS=3 SEED=1 SIM_FLAGS='-sample 4'\n", "\n" + pageEnd + "b\n",
		": 10 s, of which the simulation itself took 7.30 s.",
		"| image changed | 1 |  | 1.50 s |  | 2.00 s | 2.00 s | 2.0 MB | 30 MB | 1.4 kB |\n",
		"| git push | 2 | 0.50 s | 0.70 s | 0.70 s | " + kinds[1].name + " | 1.00 s | 1.0 MB |  | 1.0 kB |\n",
		"| git push | 1 | 5.00 s | 5.00 s | 5.00 s | floor | 1.00 s | 1.0 MB |  |  |\n", "| " + lawAgain + " | 7 |\n"} {
		if strings.Count(string(text), want) != 1 || strings.Contains(string(text), "old") {
			t.Errorf("want %q once in\n%s", want, text)
		}
	}
	if err := os.WriteFile(file, []byte(pageEnd+pageBegin), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.writePage(file); err == nil {
		t.Error("a page whose marks are in the wrong order was written")
	}
	text, err = os.ReadFile("../../../docs/simulation.md")
	if err != nil || strings.Count(string(text), stepsHeader) != 1 || strings.Count(string(text), commandsHeader) != 2 || !strings.Contains(string(text), "\n    make sim CLUSTERS=10000 OBJECTS=100 ") {
		t.Errorf("docs/simulation.md has no report of this form: run make sim with SIM_FLAGS='-page docs/simulation.md': %v", err)
	}
}

// TestSplitWork splits a work by its indentation.
func TestSplitWork(t *testing.T) {
	const head, a, b = "kind: ManifestWork\nspec:\n  workload:", "    - apiVersion: v1\n      kind: A\n      metadata:\n        name: a\n      spec:\n        name: x\n",
		"    - apiVersion: v1\n      kind: B\n      metadata:\n        name: b\n"
	for text, want := range map[string]map[string]string{
		head + "\n    manifests:\n" + a + b + "  manifestConfigs: []\n": {"A/a": a, "B/b": b, "ManifestWork": head + "  manifestConfigs: []\n"},
		head + "\n    manifests:\n" + a:                                 {"A/a": a, "ManifestWork": head},
		head + "\n    manifests:\n" + a + a:                             nil,
		head + "\n":                                                     nil,
	} {
		got, err := splitWork(text)
		if diff := cmp.Diff(want, got); diff != "" || (err != nil) != (want == nil) {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
}
