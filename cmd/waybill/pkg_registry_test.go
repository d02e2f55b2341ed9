package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// edgeFolder is a folder with the package edge, in which the test then is not.
func edgeFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "edge")
	for file, text := range map[string]string{
		"Kptfile": edgeKptfile, "web.yaml": edgeWeb("1", "web:1"), "bin/run.sh": "#!/bin/sh\n", "db/Kptfile": strings.Replace(edgeKptfile, "edge", "db", 1),
	} {
		writeText(t, filepath.Join(dir, file), text)
	}
	must(t, os.Chmod(filepath.Join(dir, "bin/run.sh"), 0o755)) // #nosec G302 -- a program
	t.Chdir(filepath.Dir(dir))
	return dir
}

func writeText(t *testing.T, file, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(file, []byte(text), 0o600))
}

// pushEdge pushes the package in edge, and returns what the command says of it.
func pushEdge(t *testing.T, url string, args ...string) pkg.PushReport {
	t.Helper()
	var r pkg.PushReport
	must(t, json.Unmarshal([]byte(mustRun(t, append([]string{"pkg", "push", "edge", url, "-o", "json"}, args...)...).stdout), &r))
	return r
}

// TestPkgRegistry pushes a package, gets it, edits it and updates it.
func TestPkgRegistry(t *testing.T) {
	for name, start := range map[string]func(*testing.T) *ocitest.Server{
		"in memory": func(t *testing.T) *ocitest.Server { return ocitest.InMemory(t) },
		"real":      func(t *testing.T) *ocitest.Server { return ocitest.Registry(t) },
	} {
		t.Run(name, func(t *testing.T) { testPkgRegistry(t, start(t)) })
	}
}

func testPkgRegistry(t *testing.T, s *ocitest.Server) {
	edgeFolder(t)
	v1, v2 := s.URL("bp/edge:v1"), s.URL("bp/edge:v2")
	if r := pushEdge(t, v1, "--dry-run"); r.State != "planned" {
		t.Errorf("want a plan, got %+v", r)
	}
	first := pushEdge(t, v1)
	want := pkg.PushReport{TypeMeta: cli.TypeMeta("PackagePushReport"), Package: "edge", Artifact: v1, Digest: first.Digest, State: "pushed", Files: 4}
	if diff := cmp.Diff(want, first); diff != "" || !oci.IsDigest(first.Digest) {
		t.Errorf("a dry run sends nothing, and a push does (-want +got):\n%s", diff)
	}
	if again := pushEdge(t, v1); again.State != "unchanged" || again.Digest != first.Digest {
		t.Errorf("a second push sends nothing: %+v", again)
	}

	mustRun(t, "pkg", "get", v1, "mine")
	lock := "repo: " + s.URL("bp/edge") + "\n    directory: /\n    ref: v1\n"
	if diff := cmp.Diff(strings.Replace(edgeKptfile, "edge", "mine", 1)+"upstream:\n  type: git\n  git:\n    "+lock+
		"  updateStrategy: resource-merge\nupstreamLock:\n  type: git\n  git:\n    "+lock+"    commit: "+first.Digest+"\n",
		readText(t, "mine/Kptfile")); diff != "" {
		t.Errorf("Kptfile (-want +got):\n%s", diff)
	}
	if st, err := os.Stat("mine/bin/run.sh"); err != nil || st.Mode().Perm() != 0o755 {
		t.Errorf("want a program: %v, %v", st, err)
	}

	writeText(t, "edge/web.yaml", edgeWeb("1", "web:2"))
	if r := runCLI(t, "pkg", "push", "edge", v1); r.code != exitFailed || !strings.Contains(r.stderr, "the tag names "+first.Digest+" already") {
		t.Errorf("want a refusal to move the tag, got %d: %s", r.code, r.stderr)
	}
	second := pushEdge(t, v2)
	writeText(t, "mine/web.yaml", strings.Replace(readText(t, "mine/web.yaml"), "replicas: 1", "replicas: 3", 1))
	if r := mustRun(t, "pkg", "diff", "mine"); !strings.Contains(r.stdout, "spec.replicas") {
		t.Errorf("diff:\n%s", r.stdout)
	}
	if r := mustRun(t, "pkg", "update", "mine@v2"); !strings.Contains(r.stdout, "v1@"+first.Digest[7:14]+" → v2@"+second.Digest[7:14]) {
		t.Errorf("update:\n%s", r.stdout)
	}
	if web := readText(t, "mine/web.yaml"); !strings.Contains(web, "replicas: 3") || !strings.Contains(web, "web:2") {
		t.Errorf("want the changes of both sides:\n%s", web)
	}
	if k := readText(t, "mine/Kptfile"); !strings.Contains(k, "commit: "+second.Digest) || !strings.Contains(k, "ref: v2") {
		t.Errorf("Kptfile:\n%s", k)
	}

	if r := mustRun(t, "pkg", "update", "mine@"+first.Digest); !strings.Contains(r.stdout, "v2@"+second.Digest[7:14]+" → @"+first.Digest[7:14]+"\n") {
		t.Errorf("update to a digest:\n%s", r.stdout)
	}
	if r := runCLI(t, "pkg", "update", "mine@sha256:0a"); r.code != exitFailed || !strings.Contains(r.stderr, "neither a tag nor a digest") {
		t.Errorf("update to half a digest: %d, %s", r.code, r.stderr)
	}
	mustRun(t, "pkg", "update", "mine@v2")
	if r := mustRun(t, "pkg", "diff", "mine@v1", "--diff-tool", "diff", "--diff-tool-opts", "-ru"); !strings.Contains(r.stdout, "-        image: web:2") {
		t.Errorf("diff by a program:\n%s", r.stdout)
	}

	moved := pushEdge(t, v1, "--move-tags")
	if moved.State != "pushed" || moved.Digest != second.Digest {
		t.Errorf("want the tag to move to %s: %+v", second.Digest, moved)
	}
	mustRun(t, "pkg", "get", s.URL("bp/edge@"+first.Digest), "old")
	if k := readText(t, "old/Kptfile"); !strings.Contains(k, "ref: "+first.Digest) {
		t.Errorf("Kptfile:\n%s", k)
	}
	testKptRenders(t)
}

// testKptRenders: kpt, whose Kptfile knows no registries, renders a package that comes from one.
func testKptRenders(t *testing.T) {
	t.Run("kpt", func(t *testing.T) {
		testenv.Need(t, testenv.Kpt)
		before := readText(t, "mine/Kptfile")
		if out, err := exec.Command("kpt", "fn", "render", "mine").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if diff := cmp.Diff(before, readText(t, "mine/Kptfile")); diff != "" {
			t.Errorf("kpt changes the Kptfile (-before +after):\n%s", diff)
		}
	})
}

// TestPkgPushContent: what Git ignores is not pushed, and Secrets are warned of without their values.
func TestPkgPushContent(t *testing.T) {
	testenv.Need(t, testenv.Git)
	s, dir := ocitest.InMemory(t), edgeFolder(t)
	gittest.Git(t, dir, "init", "--quiet")
	writeText(t, filepath.Join(dir, ".gitignore"), "*.log\nout/\n")
	writeText(t, filepath.Join(dir, "debug.log"), "noise")
	writeText(t, filepath.Join(dir, "out/made.yaml"), "noise: yes\n")
	writeText(t, filepath.Join(dir, "token.yaml"), edgeSecret("hush-one"))
	r := mustRun(t, "pkg", "push", "edge", s.URL("bp/edge:v1"), "--source", "https://git.example.com/bp.git", "--revision", "v1")
	want := "2 file(s) left out, which Git ignores.\nwarning: values of Secrets are in token.yaml: everybody who may pull the package can read them\n"
	if diff := cmp.Diff(want, r.stderr); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	mustRun(t, "pkg", "get", s.URL("bp/edge:v1"), "mine")
	for file, there := range map[string]bool{"debug.log": false, "out": false, "token.yaml": true, ".gitignore": true, ".git": false} {
		if _, err := os.Stat(filepath.Join("mine", file)); (err == nil) != there {
			t.Errorf("%s: want there %v, got %v", file, there, err)
		}
	}
	c, err := oci.New(oci.Options{})
	must(t, err)
	ref, err := oci.ParseReference(s.URL("bp/edge:v1"))
	must(t, err)
	p, err := c.Pull(t.Context(), ref)
	must(t, err)
	if diff := cmp.Diff(map[string]string{oci.Source: "https://git.example.com/bp.git", oci.Revision: "v1"}, p.Annotations); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

// TestPkgPushDenied: some registries deny that a repository exists until there is something in it.
func TestPkgPushDenied(t *testing.T) {
	var there atomic.Bool
	s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		there.Store(there.Load() || r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/manifests/"))
		if r.Method == http.MethodHead && strings.Contains(r.URL.Path, "/manifests/") && !there.Load() {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	})
	edgeFolder(t)
	for _, want := range []string{"pushed", "unchanged"} {
		if r := pushEdge(t, s.URL("bp/edge:v1")); r.State != want {
			t.Errorf("want %s, got %+v", want, r)
		}
	}
}

// TestPkgRegistryRefuses: what is wrong is said before anything is written.
func TestPkgRegistryRefuses(t *testing.T) {
	key := readText(t, "../../pkg/oci/testdata/cosign/cosign.pub")
	s, dir := ocitest.InMemory(t), edgeFolder(t)
	pushEdge(t, s.URL("bp/edge:v1"))
	writeText(t, "folder/file", "")
	writeText(t, "no.pub", "no key")
	writeText(t, "cosign.pub", key)
	for name, tc := range map[string]struct {
		args []string
		code int
		says string
	}{
		"push without tag":    {[]string{"push", dir, s.URL("bp/edge")}, exitUsage, "want oci://HOST/REPO:TAG"},
		"push by digest":      {[]string{"push", dir, s.URL("bp/edge:v1@sha256:" + strings.Repeat("0", 64))}, exitUsage, "want oci://HOST/REPO:TAG"},
		"push elsewhere":      {[]string{"push", dir, "https://git.example.com/edge"}, exitUsage, "want oci://HOST/REPOSITORY"},
		"push no package":     {[]string{"push", "folder", s.URL("bp/edge:v1")}, exitFailed, "not a package: there is no Kptfile"},
		"push no folder":      {[]string{"push", "none", s.URL("bp/edge:v1")}, exitFailed, `"none" is not a folder`},
		"credentials":         {[]string{"get", "oci://porter:s3cr3t@registry.example.com/edge:v1"}, exitUsage, "the URL holds credentials"},
		"get without tag":     {[]string{"get", s.URL("bp/edge")}, exitUsage, "names neither a tag nor a digest"},
		"get what is missing": {[]string{"get", s.URL("bp/none:v1")}, exitFailed, "not found in the registry"},
		"plain HTTP":          {[]string{"get", "oci://10.255.255.1:5000/bp/edge:v1", "new"}, exitFailed, "--plain-http allows it"},
		"no key":              {[]string{"get", s.URL("bp/edge:v1"), "new", "--verify-key", "no.pub"}, exitUsage, `--verify-key "no.pub": not a public key in PEM`},
		"no signature":        {[]string{"get", s.URL("bp/edge:v1"), "new", "--verify-key", "cosign.pub"}, exitFailed, "has no signature of cosign"},
		"no registry":         {[]string{"get", dir + ".git/x", "new", "--verify-key", "cosign.pub"}, exitFailed, "is in Git, and --verify-key verifies only artifacts"},
	} {
		t.Run(name, func(t *testing.T) {
			r := runCLI(t, append([]string{"pkg"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) || strings.Contains(r.stderr, "s3cr3t") {
				t.Errorf("want %d and %q, got %d: %s", tc.code, tc.says, r.code, r.stderr)
			}
		})
	}
	checkOnly(t, ".", "cosign.pub", "edge", "folder", "no.pub")
}

// TestOCIPage runs the commands of the page on registries: the copy takes the new version, and keeps its change.
func TestOCIPage(t *testing.T) {
	page, s := absolute(t, "../../docs/oci.md"), ocitest.InMemory(t)
	path := "PATH=" + buildWaybill(t) + ":" + os.Getenv("PATH")
	t.Chdir(t.TempDir())
	out := runPage(t, page, ".", strings.NewReplacer("registry.example.com", s.Host), append(gitUser(t), path)...)
	for _, want := range []string{"pushed\n", "unchanged\n", "v1@", "  cpu: \"4\"\n  memory: 2Gi\n", "base.edge.v2   edge      v2              2          true"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// TestPkgVerifyCosign signs with the real cosign, in both of its layouts, and verifies with ours: content that was changed, and another
// key, are refused.
func TestPkgVerifyCosign(t *testing.T) {
	testenv.Need(t, testenv.Cosign)
	cosign, err := testenv.CosignProgram()
	must(t, err)
	s := ocitest.Registry(t)
	edgeFolder(t)
	run := func(dir string, args ...string) {
		cmd := exec.Command(cosign, args...) // #nosec G204 -- our tool
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "COSIGN_PASSWORD=x")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("cosign %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	must(t, os.Mkdir("other", 0o700))
	run(".", "generate-key-pair")
	run("other", "generate-key-pair")
	for repo, flag := range map[string]string{"bp/classic": "--new-bundle-format=false", "bp/bundle": "--new-bundle-format=true"} {
		writeText(t, "edge/web.yaml", edgeWeb("1", "web:1"))
		signed := pushEdge(t, s.URL(repo+":v1"))
		run(".", "sign", "--key=cosign.key", "--tlog-upload=false", "--allow-http-registry", "--yes", flag, s.Host+"/"+repo+"@"+signed.Digest)
		mustRun(t, "pkg", "get", s.URL(repo+":v1"), repo[3:], "--verify-key", "cosign.pub")
		if r := runCLI(t, "pkg", "get", s.URL(repo+":v1"), "wrong", "--verify-key", "other/cosign.pub"); r.code != exitFailed ||
			!strings.Contains(r.stderr, "none of 1 signature(s) was made by the key") {
			t.Errorf("%s, another key: %d, %s", repo, r.code, r.stderr)
		}
		writeText(t, "edge/web.yaml", edgeWeb("1", "evil:1"))
		pushEdge(t, s.URL(repo+":v1"), "--move-tags")
		if r := runCLI(t, "pkg", "update", repo[3:], "--verify-key", "cosign.pub"); r.code != exitFailed || !strings.Contains(r.stderr, "has no signature of cosign") {
			t.Errorf("%s, changed content: %d, %s", repo, r.code, r.stderr)
		}
		if web := readText(t, repo[3:]+"/web.yaml"); strings.Contains(web, "evil") {
			t.Errorf("%s: unsigned content was written:\n%s", repo, web)
		}
	}
}
