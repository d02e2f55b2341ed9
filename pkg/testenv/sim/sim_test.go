package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	if err := run(small(waybill, len(kinds)), &out); err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	for _, law := range []string{lawExit, lawReceive, lawAgain, lawPreview, lawKeep, lawRepeat, lawMerge, lawApproved, lawOthers, lawStatus} {
		if r.Laws[law] == 0 {
			t.Errorf("never checked: %s", law)
		}
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
		if err := run(o, &out); err != nil {
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

// lawsBroken damages what the real waybill wrote, and misleads the model: each must be noticed, and the error must say how to
// repeat the run.
func lawsBroken(t *testing.T, waybill string) {
	for name, c := range map[string]struct {
		reason string
		law    string
		spoil  func(*simulation)
	}{
		"tampered": {"a work has another image", lawAgain, func(s *simulation) {
			s.rendered = func(dir string) { replace(t, works(t, dir)[0], "image: registry", "image: evil") }
		}},
		"lost": {"a cluster has no works", lawAgain, func(s *simulation) {
			s.rendered = func(dir string) {
				if err := os.Remove(works(t, dir)[0]); err != nil {
					t.Error(err)
				}
			}
		}},
		"model": {"the model expects another image", lawReceive, func(s *simulation) { s.model.local["web-1"].fields["image"] = "other:1" }},
		"tier":  {"the model expects another policy", lawReceive, func(s *simulation) { s.model.extras = s.model.regions }},
	} {
		t.Run(name, func(t *testing.T) {
			o := small(waybill, 1)
			o.sample = o.clusters
			s, err := newSimulation(o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			err = s.one(0, kind{"start", 1, func(s *simulation) error {
				if err := s.prepare(); err != nil {
					return err
				}
				c.spoil(s)
				return s.deliverFirst()
			}})
			var broken *brokenLaw
			if !errors.As(err, &broken) || broken.law != c.law || !strings.Contains(err.Error(), "make sim CLUSTERS=12 OBJECTS=10 COMMITS=1 SEED=1") {
				t.Errorf("%s: want the law %q to be broken, got: %v", c.reason, c.law, err)
			}
		})
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

// works are the files of the works below a package.
func works(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "clusters", "*", "base", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no works: %v", err)
	}
	return files
}

func replace(t *testing.T, file, old, new string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(data, []byte(old), []byte(new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}
