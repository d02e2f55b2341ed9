package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// renderPackage is a package, a subpackage, and programs to run on them.
const renderPackage = `
-- web/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - exec: bump
  - exec: bump
    selectors:
    - kind: Deployment
-- web/app.yaml --
# Comments stay.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # and this one
spec:
  replicas: 1
-- web/README.md --
Not a resource.
-- web/sub/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: sub
-- web/sub/settings.yaml --
apiVersion:   v1
kind: ConfigMap
metadata: {name:   settings}
-- bin/bump --
#!/bin/sh
sed 's/replicas: 1$/replicas: 2/'
-- bin/fail --
#!/bin/sh
cat
printf 'results:\n- message: that will not do\n  severity: error\n  file: {path: app.yaml}\n'
echo 'first line' >&2
echo 'last line' >&2
exit 3
-- bin/escape --
#!/bin/sh
awk '{print} /^items:/ {print "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: made\n    annotations:\n      internal.config.kubernetes.io/path: ../../made.yaml"}'
-- bin/garbage --
#!/bin/sh
echo 'hello: [world'
-- bin/long --
#!/bin/sh
n=$(printf 'n%.0s' $(seq 250))
sed "s/replicas: 1\$/replicas: 2/; s/path: 'app.yaml'/path: '$n.yaml'/"
`

// packageWith writes renderPackage with another first function, and puts its programs on the PATH.
func packageWith(t *testing.T, function string) string {
	t.Helper()
	dir := writeArchive(t, strings.Replace(renderPackage, "exec: bump", "exec: "+function, 1))
	onPath(t, filepath.Join(dir, "bin"))
	return filepath.Join(dir, "web")
}

const bumped = "# Comments stay.\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web # and this one\nspec:\n  replicas: 2\n"

func TestRenderInPlace(t *testing.T) {
	dir := packageWith(t, "bump")
	before := snapshot(t, dir)
	if err := os.Chmod(filepath.Join(dir, "app.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := runCLI(t, "fn", "render", dir, "--allow-exec")
	const progress = `Package "web/sub":
Package "web":
[RUNNING] "bump" (exec)
[PASS] "bump" in 0s
[RUNNING] "bump" on 1 resource(s) (exec)
[PASS] "bump" in 0s
Successfully executed 2 function(s) in 2 package(s).
`
	if diff := cmp.Diff(progress, onlySeconds(r.stderr)); diff != "" || r.code != exitDone {
		t.Errorf("exit code %d, progress (-want +got):\n%s", r.code, diff)
	}
	after := snapshot(t, dir)
	if mode, text, _ := strings.Cut(after["/app.yaml"], "\n"); !strings.HasPrefix(mode, "-rw------- ") || text != bumped {
		t.Errorf("app.yaml is now %s\n%s", mode, text)
	}
	for _, changed := range []string{"", "/app.yaml"} { // the folder, too: a file in it was replaced
		delete(before, changed)
		delete(after, changed)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("what no function changed was touched (-before +after):\n%s", diff)
	}
	settled := snapshot(t, dir)
	runCLI(t, "fn", "render", dir, "--allow-exec")
	if diff := cmp.Diff(settled, snapshot(t, dir)); diff != "" {
		t.Errorf("a second render touches files (-first +second):\n%s", diff)
	}
}

// onlySeconds makes durations comparable.
func onlySeconds(text string) string {
	words := strings.Split(text, " in ")
	for i, w := range words[1:] {
		if end := strings.IndexByte(w, '\n'); strings.HasSuffix(w[:max(end, 0)], "s") {
			words[i+1] = "0s" + w[end:]
		}
	}
	return strings.Join(words, " in ")
}

// TestRenderOutput prints, or writes elsewhere, and leaves the package alone.
func TestRenderOutput(t *testing.T) {
	const (
		kptfile  = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n  - exec: bump\n  - exec: bump\n    selectors:\n    - kind: Deployment\n"
		sub      = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\n"
		settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"
	)
	dir := packageWith(t, "bump")
	before := snapshot(t, dir)
	t.Run("Unwrap", func(t *testing.T) {
		r := runCLI(t, "fn", "render", dir, "--allow-exec", "-o", "unwrap")
		if diff := cmp.Diff(kptfile+"---\n"+bumped+"---\n"+sub+"---\n"+settings, r.stdout); diff != "" {
			t.Errorf("documents in list order, no annotations (-want +got):\n%s", diff)
		}
	})
	t.Run("Stdout", func(t *testing.T) {
		r := runCLI(t, "fn", "render", dir, "--allow-exec", "-o", "stdout")
		l, err := fn.ReadList(strings.NewReader(r.stdout))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range l.Items {
			got = append(got, o.Annotation("internal.config.kubernetes.io/path")+" "+o.Annotation("config.kubernetes.io/path")+" "+o.Annotation("config.kubernetes.io/index"))
			if o.HasAnnotation("internal.config.kubernetes.io/package-path") || o.HasAnnotation("internal.config.kubernetes.io/id") {
				t.Errorf("%s carries what only an orchestrator needs:\n%s", o.Describe(), r.stdout)
			}
		}
		want := []string{"Kptfile Kptfile 0", "app.yaml app.yaml 0", "sub/Kptfile sub/Kptfile 0", "sub/settings.yaml sub/settings.yaml 0"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("paths count from the root package (-want +got):\n%s", diff)
		}
	})
	t.Run("Directory", func(t *testing.T) {
		out := filepath.Join(t.TempDir(), "new", "folder")
		r := runCLI(t, "fn", "render", dir, "--allow-exec", "-o", out)
		if r.code != exitDone || r.stdout != "" {
			t.Fatalf("exit code %d, stdout %q, stderr %s", r.code, r.stdout, r.stderr)
		}
		tree := readTree(t, out)
		want := []string{"Kptfile", "app.yaml", "sub/Kptfile", "sub/settings.yaml"}
		if diff := cmp.Diff(want, tree.Paths()); diff != "" {
			t.Errorf("resources and nothing else (-want +got):\n%s", diff)
		}
		if data, _ := tree.Get("app.yaml"); string(data) != bumped {
			t.Errorf("app.yaml is not rendered:\n%s", data)
		}
	})
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("the package was touched (-before +after):\n%s", diff)
	}
}

// TestRenderRefusesOutput leaves what stands at --output alone, and nothing half done behind.
func TestRenderRefusesOutput(t *testing.T) {
	dir := packageWith(t, "bump")
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "mine", 0o644)
	cases := map[string]struct{ reason, output, says string }{
		"Empty":   {"an existing folder, be it empty", t.TempDir(), "already exists, please delete the directory and retry"},
		"File":    {"a file", file, "already exists, please delete the directory and retry"},
		"BelowIt": {"a file on the way", filepath.Join(file, "out"), "not a directory"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			before := snapshot(t, filepath.Dir(file))
			r := runCLI(t, "fn", "render", dir, "--allow-exec", "-o", tc.output)
			if r.code != exitFailed || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, stderr %s", tc.reason, r.code, r.stderr)
			}
			if diff := cmp.Diff(before, snapshot(t, filepath.Dir(file))); diff != "" {
				t.Errorf("%s: files changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRenderFailureWritesNothing fails in the second package of two, after the first was changed
// in memory: on disk nothing has moved, not even a time.
func TestRenderFailureWritesNothing(t *testing.T) {
	for _, function := range []string{"fail", "escape", "garbage", "no-such-program", "'unbalanced"} {
		t.Run(function, func(t *testing.T) {
			dir := packageWith(t, "bump")
			writeFile(t, filepath.Join(dir, "sub/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\npipeline:\n  mutators:\n  - exec: bump\n", 0o644)
			writeFile(t, filepath.Join(dir, "sub/app.yaml"), strings.Replace(bumped, "2", "1", 1), 0o644)
			file := filepath.Join(dir, "Kptfile")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, file, strings.Replace(string(text), "- exec: bump\n", "- exec: "+`"`+function+`"`+"\n", 1), 0o644)
			before := snapshot(t, dir)
			if r := runCLI(t, "fn", "render", dir, "--allow-exec"); r.code != exitFailed {
				t.Errorf("exit code %d:\n%s", r.code, r.stderr)
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("the package was touched (-before +after):\n%s", diff)
			}
		})
	}
}

// TestRenderTellsFailure shows what a function said before it failed.
func TestRenderTellsFailure(t *testing.T) {
	dir := packageWith(t, "fail")
	r := runCLI(t, "fn", "render", dir, "--allow-exec")
	const want = `Package "web/sub":
Package "web":
[RUNNING] "fail" (exec)
[FAIL] "fail" in 0s
  Results:
    [error] (app.yaml): that will not do
  Stderr:
    "first line"
    "last line"
  Exit code: 3
error: render package "web": function "fail" (step 1): it reported 1 error, see above
`
	if diff := cmp.Diff(want, onlySeconds(r.stderr)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestResultsFile is written whatever comes of the render, in kpt's form.
func TestResultsFile(t *testing.T) {
	cases := map[string]struct{ reason, function, want string }{
		"Success": {"the exit code is 0", "bump", `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 0
items:
  - exec: bump
    exitCode: 0
  - exec: bump
    exitCode: 0
`},
		"FunctionFails": {"the function's own exit code, and 1 for the whole", "fail", `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 1
items:
  - exec: fail
    stderr: |
      first line
      last line
    exitCode: 3
    results:
      - message: that will not do
        severity: error
        file:
          path: app.yaml
`},
		"OutputFails": {"what a function printed is refused: kpt says 0 here", "escape", `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 1
items:
  - exec: escape
    exitCode: 1
    results:
      - message: 'function must not modify resources outside of package: resource has path ../../made.yaml'
        severity: error
`},
		"CannotRun": {"as in kpt", "no-such-program", `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 1
items:
  - exec: no-such-program
    exitCode: 1
`},
		"Garbage": {"kpt gives no reason", "garbage", `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 1
items:
  - exec: garbage
    exitCode: 1
    results:
      - message: '"garbage": its output: input is not a ResourceList: ResourceList: document 1, line 2: not valid YAML: did not find expected '','' or '']'''
        severity: error
`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir, results := packageWith(t, tc.function), filepath.Join(t.TempDir(), "to", "make")
			r := runCLI(t, "fn", "render", dir, "--allow-exec", "--results-dir", results)
			got, err := os.ReadFile(filepath.Join(results, "results.yaml"))
			if err != nil {
				t.Fatalf("%v\n%s", err, r.stderr)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if failed := strings.Contains(tc.want, "exitCode: 1"); failed != (r.code == exitFailed) {
				t.Errorf("exit code %d:\n%s", r.code, r.stderr)
			}
		})
	}
}

// TestResultsOfFailedWrite says 1 although every function passed: the package was not written.
func TestResultsOfFailedWrite(t *testing.T) {
	dir, results := packageWith(t, "bump"), t.TempDir()
	r := runCLI(t, "fn", "render", dir, "--allow-exec", "--results-dir", results, "-o", t.TempDir())
	got, err := os.ReadFile(filepath.Join(results, "results.yaml"))
	if err != nil || r.code != exitFailed || !bytes.Contains(got, []byte("\nexitCode: 1\n")) {
		t.Errorf("exit code %d, error %v, results:\n%s", r.code, err, got)
	}
}

// TestRenderLinks reads no symbolic link, writes through none, and takes one for the package itself.
func TestRenderLinks(t *testing.T) {
	dir := packageWith(t, "bump")
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	writeFile(t, outside, strings.Replace(bumped, "2", "1", 1), 0o644)
	for name, target := range map[string]string{"file.txt": outside, "folder": filepath.Dir(outside), "loop": ".", "nowhere": "gone"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, filepath.Dir(outside))
	if r := runCLI(t, "fn", "render", link, "--allow-exec"); r.code != exitDone {
		t.Fatalf("exit code %d:\n%s", r.code, r.stderr)
	}
	if diff := cmp.Diff(before, snapshot(t, filepath.Dir(outside))); diff != "" {
		t.Errorf("what a link points to was changed (-before +after):\n%s", diff)
	}
	if data, _ := readTree(t, dir).Get("app.yaml"); string(data) != bumped {
		t.Errorf("the package behind the link was not rendered:\n%s", data)
	}
	if target, err := os.Readlink(filepath.Join(dir, "file.txt")); err != nil || target != outside {
		t.Errorf("the link in the package is no longer what it was: %q, %v", target, err)
	}
}

// TestRenderLongNames writes a file whose name is as long as names get.
func TestRenderLongNames(t *testing.T) {
	dir := packageWith(t, "long")
	if r := runCLI(t, "fn", "render", dir, "--allow-exec"); r.code != exitDone {
		t.Fatalf("exit code %d:\n%s", r.code, r.stderr)
	}
	if data, _ := readTree(t, dir).Get(strings.Repeat("n", 250) + ".yaml"); string(data) != bumped {
		t.Errorf("got %q in %v", data, readTree(t, dir).Paths())
	}
}

// TestRenderReadOnly meets a folder that it may not write to: one error, and not a byte changed,
// in the folders that it may write to either.
func TestRenderReadOnly(t *testing.T) {
	bin := buildWaybill(t)
	dir := packageWith(t, "bump")
	writeFile(t, filepath.Join(dir, "sub/app.yaml"), strings.Replace(bumped, "2", "1", 1), 0o644)
	for _, d := range []string{bin, filepath.Dir(bin), dir, filepath.Dir(dir), filepath.Dir(filepath.Dir(dir))} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 { // root may write anywhere: be somebody else
		chownAll(t, dir)
	}
	for _, d := range []string{"sub", "."} { // then all of it
		if err := os.Chmod(filepath.Join(dir, d), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, d), 0o755) })
		before := snapshot(t, dir)
		cmd := exec.Command(filepath.Join(bin, "waybill"), "fn", "render", dir, "--allow-exec")
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(string(out), "no permission to write to it") {
			t.Errorf("%s read-only: %v:\n%s", d, err, out)
		}
		if diff := cmp.Diff(contents(before), contents(snapshot(t, dir))); diff != "" {
			t.Errorf("%s read-only: the package was changed (-before +after):\n%s", d, diff)
		}
	}
}

const nobody = 65534

func chownAll(t *testing.T, dir string) {
	t.Helper()
	for p := range snapshot(t, dir) {
		if err := os.Chown(dir+p, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
}

// contents is a snapshot without times: a folder in which a file was made and removed again is the
// same folder.
func contents(snap map[string]string) map[string]string {
	out := map[string]string{}
	for p, s := range snap {
		head, text, _ := strings.Cut(s, "\n")
		mode, _, _ := strings.Cut(head, " ")
		out[p] = mode + "\n" + text
	}
	return out
}
