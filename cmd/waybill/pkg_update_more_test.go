package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPkgUpdatePlaces names the package in every way, and where its name is odd.
func TestPkgUpdatePlaces(t *testing.T) {
	cases := map[string]struct{ reason, folder, in, arg string }{
		"Default":  {"the current folder", "edge", "edge", ""},
		"Dot":      {"the same", "edge", "edge", "."},
		"DotRef":   {"as kpt writes it", "edge", "edge", ".@v2"},
		"Ref":      {"a ref alone", "edge", "edge", "@v2"},
		"Odd":      {"spaces, colons and letters", "a b: 'ü'", ".", "a b: 'ü'@v2"},
		"At":       {"an @ in a folder", "web@v1", ".", "web@v1@v2"},
		"AtAlone":  {"which is no ref", "web@v2", ".", "web@v2"},
		"Dash":     {"a name like a flag", "-edge", ".", "./-edge@v2"},
		"Absolute": {"from the root on", "edge", ".", "PWD/edge@v2"},
	}
	o := newPkgOrigin(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			gittest.Git(t, ".", "init", "--quiet", ".")
			mustRun(t, "pkg", "get", o.bare+"/edge@v1", "./"+tc.folder)
			commitAll(t, ".", "edge")
			pwd, err := os.Getwd()
			must(t, err)
			t.Chdir(tc.in)
			args := []string{"pkg", "update"}
			if tc.arg != "" {
				args = append(args, strings.Replace(tc.arg, "PWD", pwd, 1))
			}
			mustRun(t, args...)
			want := "v2"
			if !strings.HasSuffix(tc.arg, "@v2") || name == "AtAlone" {
				want = "v1"
			}
			if k := readText(t, pwd+"/"+tc.folder+"/Kptfile"); strings.Count(k, "    ref: "+want+"\n") != 2 {
				t.Errorf("%s: want %s:\n%s", tc.reason, want, k)
			}
		})
	}
}

// TestPkgUpdateSubpackages brings subpackages to their own upstreams, and to REF if they are of the same place.
func TestPkgUpdateSubpackages(t *testing.T) {
	o := gotEdge(t)
	mustRun(t, "pkg", "get", o.bare+"/edge/db@v1", "edge/follows")
	mustRun(t, "pkg", "get", o.bare+"/plain@v1", "edge/stays")
	commitAll(t, ".", "subpackages")
	r := mustRun(t, "pkg", "update", "edge@v2")
	v1, v2 := o.commitID(t, "v1")[:7], o.commitID(t, "v2")[:7]
	want := ".        resource-merge  v1@" + v1 + " → v2@" + v2 + "\nfollows  resource-merge  v1@" + v1 + " → v2@" + v2 +
		"\nstays    resource-merge  v1@" + v1 + " (as before)\n"
	if !strings.HasPrefix(r.stdout, want) || !strings.Contains(r.stderr, "Package \"edge/follows\":\n") || !strings.Contains(r.stderr, "Updated 3 package(s).\n") {
		t.Errorf("want:\n%sgot:\n%s%s", want, r.stdout, r.stderr)
	}
	commitAll(t, ".", "updated")
	if r := mustRun(t, "pkg", "update", "edge", "--exit-code"); strings.Contains(r.stdout, "M ") {
		t.Errorf("a second update changes something:\n%s", r.stdout)
	}
}

// TestPkgUpdateRendered distinguishes changes by functions from edits.
func TestPkgUpdateRendered(t *testing.T) {
	o := newPkgOrigin(t)
	labelled := edgeKptfile + "pipeline:\n  mutators:\n  - image: ghcr.io/waybill-dev/set-image:v0.1.0\n    configMap:\n      name: web\n      newTag: pinned\n"
	o.commit(t, "r1", map[string]string{"edge/Kptfile": labelled, "edge/web.yaml": edgeWeb("1", "web:1")})
	o.commit(t, "r2", map[string]string{"edge/web.yaml": edgeWeb("2", "web:2")})
	t.Chdir(t.TempDir())
	gittest.Git(t, ".", "init", "--quiet", ".")
	mustRun(t, "pkg", "get", o.bare+"/edge@r1")
	mustRun(t, "fn", "render", "edge")
	if web := readText(t, "edge/web.yaml"); !strings.Contains(web, "image: web:pinned") {
		t.Fatalf("the function did nothing:\n%s", web)
	}
	commitAll(t, ".", "rendered")
	if r := runCLI(t, "pkg", "update", "edge@r2", "--on-conflict", "fail"); r.code != exitFailed || !strings.Contains(r.stdout, "conflict  web.yaml ") {
		t.Errorf("plain merging takes it for an edit:\n%s%s", r.stdout, r.stderr)
	}
	r := mustRun(t, "pkg", "update", "edge@r2", "--on-conflict", "fail", "--base", "rendered", "--runtime", "inproc", "--function-timeout", "1m")
	if strings.Contains(r.stdout, "conflict") || !strings.Contains(r.stderr, "The result is not rendered yet: render it next.\n") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
	mustRun(t, "fn", "render", "edge")
	if web := readText(t, "edge/web.yaml"); !strings.Contains(web, "replicas: 2\n") || !strings.Contains(web, "image: web:pinned") {
		t.Errorf("updated and rendered:\n%s", web)
	}
}

// TestPkgUpdateRenderFails has a function fail: nothing is written.
func TestPkgUpdateRenderFails(t *testing.T) {
	gotEdge(t)
	edit(t, "edge/Kptfile", "upstream:\n", "pipeline:\n  mutators:\n  - exec: \"false\"\nupstream:\n")
	before := snapshot(t, ".")
	for says, args := range map[string][]string{
		"must run with `--allow-exec` option": {"--base", "rendered"},
		`function "false" (step 1)`:           {"--base", "rendered", "--allow-exec"},
	} {
		r := runCLI(t, append([]string{"pkg", "update", "edge@v2"}, args...)...)
		if r.code != exitFailed || !strings.Contains(r.stderr, `error: update package "edge": `) || !strings.Contains(r.stderr, says) {
			t.Errorf("exit code %d, stderr:\n%s", r.code, r.stderr)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
		t.Errorf("files were changed (-before +after):\n%s", diff)
	}
}

// TestPkgInterrupted interrupts commands while a server lets them wait: that is all that is said, and nothing
// is left behind.
func TestPkgInterrupted(t *testing.T) {
	o := gotEdge(t)
	heard := make(chan struct{}, 2)
	done := make(chan struct{})
	url := gittest.NewHTTP(t, o.bare, gittest.BeforeUpload(func() {
		heard <- struct{}{}
		<-done
	}))
	t.Cleanup(func() { close(done) })
	edit(t, "edge/Kptfile", strings.TrimSuffix(o.bare, ".git"), strings.TrimSuffix(url, ".git"))
	before := snapshot(t, ".")
	for _, args := range [][]string{{"pkg", "get", url + "/edge@v1", "new"}, {"pkg", "update", "edge@v2"}, {"pkg", "diff", "edge@v2"}} {
		ctx, interrupt := context.WithCancelCause(t.Context())
		go func() {
			select {
			case <-heard:
			case <-time.After(10 * time.Second):
			}
			interrupt(cli.ErrInterrupted)
		}()
		var out, messages bytes.Buffer
		code := execute(ctx, append(args, "--no-cache"), strings.NewReader(""), &out, &messages)
		if code != exitFailed || out.Len() != 0 || !strings.HasSuffix(messages.String(), "\nerror: interrupted\n") {
			t.Errorf("%q: exit code %d, stdout %q, stderr:\n%s", args, code, &out, &messages)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
		t.Errorf("files were changed (-before +after):\n%s", diff)
	}
}

// TestPkgSecretsInKptfile has a Kptfile with a password in a URL, which is bad practice: it is used, and not shown.
func TestPkgSecretsInKptfile(t *testing.T) {
	o := gotEdge(t)
	url := strings.Replace(gittest.NewHTTP(t, o.bare, gittest.BasicAuth("ada", "s3cret")), "http://", "http://ada:s3cret@", 1)
	edit(t, "edge/Kptfile", strings.TrimSuffix(o.bare, ".git"), strings.TrimSuffix(url, ".git"))
	for _, args := range [][]string{
		{"update", "edge@v2", "--dry-run"}, {"update", "edge@v2", "--dry-run", "-o", "json"}, {"update", "edge@v2", "--dry-run", "-o", "yaml"},
		{"diff", "edge@v2", "--diff-type", "3way"}, {"diff", "edge@v2", "-o", "json"},
	} {
		checkSilent(t, mustRun(t, append([]string{"pkg"}, args...)...), "s3cret")
	}
	for _, args := range [][]string{{"update", "edge@v9"}, {"diff", "edge@v9"}} {
		if r := runCLI(t, append([]string{"pkg"}, args...)...); r.code != exitFailed {
			t.Errorf("exit code %d", r.code)
		} else {
			checkSilent(t, r, "s3cret")
		}
	}
}
