package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	pipelineOf = "-- pkg/Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\npipeline:\n  mutators:\n    - exec: "
	oneReplica = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n"
)

// TestFoldersUnlikeKpt shows the rows of kpt-differences.md that are about links, folders and files that
// an archive cannot hold: what a render changes with kpt and with ours.
func TestFoldersUnlikeKpt(t *testing.T) {
	base := kptAndPrograms(t)
	for name, tc := range map[string]struct {
		reason, files string
		prepare       func(t *testing.T, dir string)
		kpt, waybill  []string // what is changed, new or gone
		refused       string   // what ours says
	}{
		"linked file": {"a link in the place of a resource file is refused", pipelineOf + "bump\n-- pkg/text --\n" + oneReplica, link("web.yaml", "text"),
			[]string{"/pkg/text"}, nil, "web.yaml: is a symbolic link"},
		"linked Kptfile": {"so is one in the place of a Kptfile", pipelineOf + "bump\n-- pkg/web.yaml --\n" + oneReplica, renamedAndLinked("Kptfile", "text"),
			[]string{"/pkg/web.yaml"}, nil, "Kptfile: is a symbolic link"},
		"linked folder": {"nothing is written through a link", pipelineOf + "place link/made.yaml\n      configMap:\n        a: b\n-- pkg/real/README.md --\nx\n", link("link", "real"),
			[]string{"/pkg/real/made.yaml"}, nil, "link/made.yaml: link is not a directory"},
		"backslash": {"nor to a path that means another file elsewhere", pipelineOf + "place 'a\\\\b.yaml'\n      configMap:\n        a: b\n", nil,
			[]string{`/pkg/a\b.yaml`}, nil, "contains a control character or backslash"},
		"emptied folder": {"a folder that holds nothing goes", pipelineOf + "drop web\n-- pkg/deep/er/web.yaml --\n" + oneReplica, nil,
			[]string{"/pkg/deep/er/web.yaml"}, []string{"/pkg/deep", "/pkg/deep/er", "/pkg/deep/er/web.yaml"}, ""},
		"many rules": {"rules without measure are not followed", pipelineOf + "bump\n-- pkg/web.yaml --\n" + oneReplica + "-- pkg/.krmignore --\n" + strings.Repeat("none.yaml\n", 7000), nil,
			[]string{"/pkg/web.yaml"}, nil, ".krmignore: is 70000 bytes, more than the 65535 allowed"},
		"rules of nothing": {"nor are rules that kpt breaks down on", pipelineOf + "bump\n-- pkg/web.yaml --\n" + oneReplica + "-- pkg/.krmignore --\n/\n", nil,
			nil, nil, `.krmignore: line 1: "/" names no file`},
	} {
		t.Run(name, func(t *testing.T) {
			files := strings.ReplaceAll(base, "-- pkg/", "-- other/") + tc.files
			theirs, ours := writeArchive(t, files), writeArchive(t, files)
			if tc.prepare != nil {
				tc.prepare(t, theirs)
				tc.prepare(t, ours)
			}
			before := everything(t, ours)
			_ = exec.Command("kpt", "fn", "render", filepath.Join(theirs, "pkg"), "--allow-exec").Run() // what it changes says enough
			r := runCLI(t, "fn", "render", filepath.Join(ours, "pkg"), "--allow-exec")
			if (r.code != exitDone) != (tc.refused != "") || !strings.Contains(r.stderr, tc.refused) {
				t.Errorf("%s: exit code %d, stderr:\n%swant: %s", tc.reason, r.code, r.stderr, tc.refused)
			}
			if diff := cmp.Diff(tc.kpt, changedIn(before, everything(t, theirs))); diff != "" {
				t.Errorf("%s: kpt changes something else (any more) (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.waybill, changedIn(before, everything(t, ours))); diff != "" {
				t.Errorf("%s: waybill (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// changedIn is what is new, gone or other.
func changedIn(before, after map[string]string) (paths []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for path := range all {
		was, there := before[path]
		if is, still := after[path]; there != still || was != is {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func renamedAndLinked(name, target string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, "pkg", name), filepath.Join(dir, "pkg", target)); err != nil {
			t.Fatal(err)
		}
		link(name, target)(t, dir)
	}
}

// TestResultsAreAnnounced prints where the results are, after a render as after an evaluation, whether
// it passed or failed, as kpt does.
func TestResultsAreAnnounced(t *testing.T) {
	kptAndPrograms(t)
	for _, function := range []string{"same", "nameless", "false"} {
		for _, line := range []string{"render pkg --allow-exec", "eval pkg --exec " + function} {
			dir := writeArchive(t, pipelineOf+function+"\n")
			t.Chdir(dir)
			args := append([]string{"fn"}, append(strings.Fields(line), "--results-dir", "results/deep")...)
			said, _ := exec.Command("kpt", args...).CombinedOutput() // fails if the function does
			const want = "\nFor complete results, see results/deep/results.yaml\n"
			if r := runCLI(t, args...); !strings.Contains(r.stderr, want) || !strings.Contains(string(said), want) {
				t.Errorf("%q of %s is not said by both:\n%s\n%s", want, line, said, r.stderr)
			}
		}
	}
}
