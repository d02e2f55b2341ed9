package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRepoFiles registers repositories in files, lists them, uses them, and removes them: other bytes of a file stay.
func TestRepoFiles(t *testing.T) {
	repo := gittest.NewBare(t)
	gittest.Commit(t, repo, gittest.Change{Tag: "base/v1", Files: gittest.Files(map[string]string{"base/Kptfile": rpkgKptfile})})
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("fleet", 0o755))
	do := func(want string, args ...string) cliRun {
		t.Helper()
		r := runCLI(t, append([]string{"repo"}, args...)...)
		if r.code != exitDone || r.stderr != "" || want != "" && r.stdout != want {
			t.Fatalf("repo %v: exit code %d, stdout %q, stderr %q; want %q", args, r.code, r.stdout, r.stderr, want)
		}
		return r
	}
	do("first registered in fleet/first.yaml\n", "reg", repo, "-f", "fleet", "--name", "first") // into an empty folder
	do("first unregistered from fleet/first.yaml\n", "unreg", "first", "-f", "fleet")
	const other = "# a note\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x} # kept\n"
	writeFile(t, "fleet/mine.yaml", other, 0o600)
	do("base registered in fleet/mine.yaml\n", "reg", repo, "-f", "fleet/mine.yaml", "--name", "base", "-n", "fleet", "--description", "all of it")
	do("prod registered in fleet/prod.yaml\n", "reg", "https://git.example.com/prod.git", "-f", "fleet", "-n", "fleet", "--deployment", "--branch", "live", "--directory", "/eu", "--secret-ref", "git")
	const prod = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: prod\n  namespace: fleet\nspec:\n  deployment: true\n  git:\n    branch: live\n    directory: eu\n    repo: https://git.example.com/prod.git\n    secretRef:\n      name: git\n  type: git\n"
	if diff := cmp.Diff(prod, readText(t, "fleet/prod.yaml")); diff != "" {
		t.Errorf("prod.yaml (-want +got):\n%s", diff)
	}
	do(strings.ReplaceAll(prod, "namespace: fleet", "namespace: default"), "reg", "https://git.example.com/prod.git", "-f", "-", "--deployment", "--branch", "live", "--directory", "eu", "--secret-ref", "git")
	if r := runCLI(t, "rpkg", "get", "-f", "fleet/mine.yaml", "-o", "name"); r.stdout != "base.base.main\nbase.base.v1\n" {
		t.Errorf("the object does not serve: %+v", r)
	}
	const table = "NAMESPACE   NAME   TYPE   DEPLOYMENT   READY   ADDRESS\nfleet       prod   git    true         -       https://git.example.com/prod.git\n"
	do(table, "get", "prod", "-f", "fleet")
	if r := do("", "get", "-f", "fleet", "-o", "json"); !strings.Contains(r.stdout, `"kind": "RepositoryList"`) || strings.Count(r.stdout, `"name"`) != 2 {
		t.Error(r.stdout)
	}
	for args, says := range map[string]string{
		"reg " + repo + " -f fleet/mine.yaml --name base -n fleet":                                         `there is a Repository "base" in namespace "fleet"`,
		"reg https://u:hunter2@git.example.com/a.git -f fleet":                                             "the URL has credentials",
		"reg https://git.example.com/A_b.git -f fleet":                                                     `the name "A_b"`,
		"reg https://git.example.com/a.git -f fleet --repo-basic-username u":                               "together",
		"reg https://git.example.com/a.git -f fleet --repo-basic-username u --repo-basic-password hunter2": "a file gets no password",
		"reg https://git.example.com/prod.git -f fleet --name prod -n other":                               "there is a file",
		"reg oci://jo:hunter2@reg.example.com/a -f fleet":                                                  "the URL has credentials",
		"reg oci://reg.example.com/a:v1 -f fleet --name a":                                                 "want HOST or HOST/PATH, without a tag or digest",
		"reg oci://reg.example.com/a -f fleet --branch live":                                               "--branch is for Git repositories",
		"reg oci://reg.example.com/a -f fleet --packages ../b":                                             `annotation waybill.dev/packages: package "../b"`,
		"reg https://git.example.com/a.git -f fleet --packages shop":                                       "--packages is for registries",
		"get nope -f fleet":   `there is no Repository "nope"`,
		"unreg nope -f fleet": `there is no Repository "nope" in namespace "default"`,
		"sync prod -f fleet":  "sync is for a cluster",
		"sync":                "requires at least 1 arg(s)",
		"reg x":               "--filename",
	} {
		r := runCLI(t, append([]string{"repo"}, strings.Fields(args)...)...)
		if r.code == exitDone || r.stdout != "" || !strings.Contains(r.stderr, says) || strings.Contains(r.stderr, "hunter2") {
			t.Errorf("repo %s: exit code %d, stdout %q, stderr %q, want %q", args, r.code, r.stdout, r.stderr, says)
		}
	}
	do("base unregistered from fleet/mine.yaml\n", "unreg", "base", "-f", "fleet", "-n", "fleet")
	do("prod unregistered from fleet/prod.yaml\n", "unreg", "prod", "-f", "fleet", "-n", "fleet")
	if diff := cmp.Diff(other, readText(t, "fleet/mine.yaml")); diff != "" {
		t.Errorf("mine.yaml (-want +got):\n%s", diff)
	}
	if left, err := os.ReadDir("fleet"); err != nil || len(left) != 1 {
		t.Errorf("left are %v (%v)", left, err)
	}
	if info, err := os.Stat("fleet/mine.yaml"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
}

// TestRepoOfCluster does the same in a real API server; the Secret comes and goes with the object.
func TestRepoOfCluster(t *testing.T) {
	c := clustertest.Shared(t)
	c.InstallCRDs(t, "../../controllers/manifests/crds")
	namespace, config := c.Namespace(t), c.Kubeconfig(t, c.Admin())
	repo := func(args ...string) cliRun {
		t.Helper()
		r := runCLI(t, append(append([]string{"repo"}, args...), "--kubeconfig", config, "-n", namespace)...)
		if r.code != exitDone {
			t.Fatalf("repo %v: exit code %d, stderr %q", args, r.code, r.stderr)
		}
		return r
	}
	kubectl := func(args ...string) string {
		t.Helper()
		out, err := c.Kubectl(t, c.Admin(), "", append(args, "-n", namespace)...)
		if err != nil {
			t.Fatal(err, out)
		}
		return out
	}
	repo("reg", "https://git.example.com/prod.git", "--repo-basic-username", "ada", "--repo-basic-password", "hunter2")
	if got := kubectl("get", "secret", "prod-auth", "-o", "jsonpath={.type} {.data.username}"); got != "kubernetes.io/basic-auth YWRh" {
		t.Errorf("the Secret is %q", got)
	}
	if got := kubectl("get", "repository", "prod", "-o", "jsonpath={.spec.git.secretRef.name}"); got != "prod-auth" {
		t.Errorf("the object names Secret %q", got)
	}
	if r := repo("get"); !strings.Contains(r.stdout, "prod") || strings.Contains(r.stdout, "hunter2") {
		t.Error(r.stdout)
	}
	repo("sync", "prod")
	if got := kubectl("get", "repository", "prod", "-o", "jsonpath={.spec.sync.runOnceAt}"); !strings.HasSuffix(got, "Z") {
		t.Errorf("runOnceAt is %q", got)
	}
	repo("reg", "oci://reg.example.com/acme/base", "--packages", "shop,db", "--repo-basic-username", "ada", "--repo-basic-password", "hunter2")
	if got := kubectl("get", "repository", "base", "-o", "jsonpath={.spec.oci} {.metadata.annotations.waybill\\.dev/packages}"); got !=
		`{"registry":"reg.example.com/acme/base","secretRef":{"name":"base-auth"}} shop,db` {
		t.Errorf("the object is %q", got)
	}
	repo("unreg", "prod")
	repo("unreg", "base")
	if got := kubectl("get", "repository,secret", "-o", "name"); strings.Contains(got, "prod") || strings.Contains(got, "base") {
		t.Errorf("left over: %s", got)
	}
}

// TestRepoFilesAreThoseThatAreRead registers and removes by the rules by which other commands read files: links stay links, the umask counts,
// and what cannot be read is an error.
func TestRepoFilesAreThoseThatAreRead(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("fleet", 0o755))
	writeFile(t, "real.yaml", "# a note\n", 0o600)
	must(t, os.Symlink("real.yaml", "link.yaml"))
	reg := func(file, name string) cliRun {
		return runCLI(t, "repo", "reg", "https://git.example.com/"+name+".git", "-f", file, "--name", name)
	}
	if r := reg("link.yaml", "one"); r.code != exitDone {
		t.Fatalf("got %+v", r)
	}
	if to, err := os.Readlink("link.yaml"); err != nil || to != "real.yaml" || !strings.Contains(readText(t, "real.yaml"), "name: one\n") {
		t.Errorf("the file behind the link has the object; %q, %v\n%s", to, err, readText(t, "real.yaml"))
	}
	if r := reg("fleet", "two"); r.code != exitDone {
		t.Fatalf("got %+v", r)
	}
	if info, err := os.Stat("fleet/two.yaml"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("a new file has the mode of the umask: %v, %v", info, err)
	}
	must(t, os.Rename("fleet/two.yaml", "fleet/two.json")) // YAML is read from it as well
	if r := reg("fleet", "two"); r.code == exitDone || !strings.Contains(r.stderr, "already") {
		t.Errorf("an object in a file that ends in .json is there; got %+v", r)
	}
	if r := runCLI(t, "repo", "unreg", "two", "-f", "fleet"); r.code != exitDone || r.stdout != "two unregistered from fleet/two.json\n" {
		t.Errorf("and is removed; got %+v", r)
	}
	must(t, os.Symlink("../real.yaml", "fleet/out.yaml"))
	if r := runCLI(t, "repo", "unreg", "one", "-f", "fleet"); r.code == exitDone || !strings.Contains(r.stderr, "outside the folder") {
		t.Errorf("a link out of the folder is an error, as for those who read it; got %+v", r)
	}
}

// TestRepoOfBareCluster asks an API server without Repositories, and one that refuses, and gets their answers in words.
func TestRepoOfBareCluster(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/namespaces/shut/") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"repositories is forbidden: not you","code":403}`)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	config := filepath.Join(t.TempDir(), "config")
	writeFile(t, config, `{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a}}],
clusters: [{name: a, cluster: {server: "`+server.URL+`"}}]}`, 0o600)
	const lacks = "the API server does not know Repositories: apply config.porch.kpt.dev_repositories.yaml of controllers/manifests/crds, or install Porch\n"
	for line, want := range map[string]string{
		"repo get": lacks, "repo sync a": lacks, "repo unreg a": lacks, "repo reg https://git.example.com/a.git": lacks, "rpkg get": lacks,
		"repo get -n shut": "repositories is forbidden: not you\n",
	} {
		r := runCLI(t, append(strings.Fields(line), "--kubeconfig", config)...)
		if r.code != exitFailed || !strings.HasSuffix(r.stderr, want) {
			t.Errorf("%s: %d %q, want %q", line, r.code, r.stderr, want)
		}
	}
}
