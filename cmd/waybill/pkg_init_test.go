package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestPkgInit makes packages as kpt does: the same files and messages, but for what the README says about commands.
func TestPkgInit(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	const mine = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: mine\n"
	cases := map[string]struct {
		reason, dir string
		flags       []string
		files       map[string]string // that are there
		fails       bool
	}{
		"plain":    {reason: "an empty folder", dir: "web"},
		"info":     {reason: "all flags", dir: "web", flags: []string{"--description", "d: e", "--keywords", "k1,k2", "--keywords", "k3", "--site", "http://x"}},
		"empty":    {reason: "flags without values", dir: "web", flags: []string{"--description", "", "--keywords", "", "--site", ""}},
		"odd":      {reason: "what YAML might take for something else", dir: "yes", flags: []string{"--description", "no", "--keywords", "1,true"}},
		"lines":    {reason: "a text of two lines, a keyword with a comma", dir: "a b", flags: []string{"--description", "two\nlines", "--keywords", `a b,"c,d"`}},
		"here":     {reason: "no DIR is here", dir: ""},
		"dot":      {reason: "a dot is here, too", dir: "."},
		"below":    {reason: "a subpackage", dir: "web/below", files: map[string]string{"web/Kptfile": mine}},
		"slash":    {reason: "a slash at the end", dir: "web/"},
		"kptfile":  {reason: "a Kptfile stays", dir: "web", files: map[string]string{"web/Kptfile": mine}},
		"readme":   {reason: "so does a README", dir: "web", files: map[string]string{"web/README.md": "mine\n"}},
		"context":  {reason: "and a context", dir: "web", files: map[string]string{"web/package-context.yaml": "a: b\n"}},
		"all":      {reason: "nothing is missing", dir: "web", files: map[string]string{"web/Kptfile": mine, "web/README.md": "", "web/package-context.yaml": ""}},
		"resource": {reason: "other files are no matter", dir: "web", files: map[string]string{"web/a.yaml": "{{ broken"}},
		"no dir":   {reason: "a folder that is not there", dir: "gone", fails: true},
		"a file":   {reason: "a file", dir: "file", files: map[string]string{"file": "x"}, fails: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got [2]map[string]string
			var says [2]string
			for i := range got {
				dir := filepath.Join(t.TempDir(), "work")
				if must(t, os.MkdirAll(dir, 0o700)); !tc.fails {
					must(t, os.MkdirAll(filepath.Join(dir, tc.dir), 0o700))
				}
				for file, text := range tc.files {
					writeFile(t, filepath.Join(dir, file), text, 0o644)
				}
				args := append([]string{"pkg", "init"}, tc.flags...)
				if tc.dir != "" {
					args = append(args, tc.dir)
				}
				t.Chdir(dir)
				if i == 0 {
					out, err := exec.Command("kpt", args...).CombinedOutput()
					if (err != nil) != tc.fails {
						t.Fatalf("kpt: %v\n%s", err, out)
					}
					says[i] = string(out)
				} else {
					r := runCLI(t, args...)
					if (r.code == exitFailed) != tc.fails || r.stdout != "" {
						t.Fatalf("%s: exit code %d\n%s", tc.reason, r.code, r.stderr)
					}
					says[i] = r.stderr
				}
				got[i] = everything(t, dir)
				for file, text := range got[i] {
					if before, _, ok := strings.Cut(text, "## Usage"); ok && strings.HasSuffix(file, "README.md") {
						got[i][file] = before
					}
				}
			}
			if d := cmp.Diff(got[0], got[1]); d != "" {
				t.Errorf("%s (-kpt +waybill):\n%s", tc.reason, d)
			}
			if !tc.fails && says[0] != says[1] {
				t.Errorf("%s: kpt says %q, waybill %q", tc.reason, says[0], says[1])
			}
		})
	}
}

// TestPkgInitRenders holds that a new package can be rendered and shown, and that a second init changes nothing.
func TestPkgInitRenders(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, "pkg", "init")
	before := everything(t, ".")
	mustRun(t, "fn", "render")
	if r := mustRun(t, "pkg", "init", "--description", "other"); r.stderr != "" {
		t.Errorf("a second init writes: %s", r.stderr)
	}
	if d := cmp.Diff(before, everything(t, ".")); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
	if r := mustRun(t, "pkg", "tree"); !strings.Contains(r.stdout, "├── [Kptfile]  Kptfile ") {
		t.Error(r.stdout)
	}
}
