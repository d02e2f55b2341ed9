package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// pkgOrigin is a repository of packages.
type pkgOrigin struct {
	bare string
	last string // the newest commit
	tree string // a work tree with edge at v1, if one was made
}

const edgeKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: edge\n"

// edgeWeb is a Deployment; edgeSecret holds what must never be seen.
func edgeWeb(replicas, image string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: " + replicas +
		"\n  template:\n    spec:\n      containers:\n      - name: web\n        image: " + image + "\n"
}

func edgeSecret(token string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: token\nstringData:\n  token: " + token + "\n"
}

func plainMap(name, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  a: " + value + "\n"
}

// newPkgOrigin makes a repository with the package edge at the tags v1 and v2.
func newPkgOrigin(t *testing.T) *pkgOrigin {
	t.Helper()
	testenv.Need(t, testenv.Git)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	o := &pkgOrigin{bare: filepath.Join(t.TempDir(), "repo.git")}
	gittest.Git(t, ".", "init", "--quiet", "--bare", "--initial-branch=main", o.bare)
	o.commit(t, "v1", map[string]string{
		"edge/Kptfile": edgeKptfile, "edge/web.yaml": edgeWeb("1", "web:1"), "edge/secret.yaml": edgeSecret("hush-one"),
		"edge/notes.txt": "one\n", "edge/old.yaml": plainMap("old", "1"), "edge/db/Kptfile": strings.Replace(edgeKptfile, "edge", "db", 1),
		"edge/db/db.yaml": plainMap("db", "1"), "plain/cm.yaml": plainMap("plain", "1"),
	})
	o.commit(t, "v2", map[string]string{
		"edge/web.yaml": edgeWeb("2", "web:2"), "edge/secret.yaml": edgeSecret("hush-two"), "edge/notes.txt": "two\n",
		"edge/old.yaml": "", "edge/new.yaml": plainMap("new", "1"), "edge/bin/run.sh": "true\n",
	})
	return o
}

// commit changes files on main, of which empty ones go, scripts may be run, and those that begin with -> are
// links; and tags that.
func (o *pkgOrigin) commit(t *testing.T, tag string, files map[string]string) {
	t.Helper()
	var in strings.Builder
	fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <ada@example.com> %d +0000\ndata <<END\n%s\nEND\n", gittest.Epoch.Unix(), tag)
	if o.last != "" {
		fmt.Fprintf(&in, "from %s\n", o.last)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, mode := files[name], "100644"
		if target, link := strings.CutPrefix(text, "->"); link {
			text, mode = target, "120000"
		} else if strings.HasSuffix(name, ".sh") {
			mode = "100755"
		}
		if text == "" {
			fmt.Fprintf(&in, "D %s\n", name)
		} else {
			fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, name, len(text), text)
		}
	}
	fmt.Fprintf(&in, "reset refs/tags/%s\nfrom refs/heads/main\n", tag)
	git := exec.Command("git", "fast-import", "--quiet")
	git.Dir, git.Env, git.Stdin = o.bare, gittest.Env(), strings.NewReader(in.String())
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	o.last = o.commitID(t, tag)
}

func commitAll(t *testing.T, dir, message string) {
	t.Helper()
	gittest.Git(t, dir, "add", "--all")
	gittest.Git(t, dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--allow-empty", "--message", message)
}

func (o *pkgOrigin) commitID(t *testing.T, rev string) string {
	t.Helper()
	return gittest.Git(t, o.bare, "rev-parse", rev+"^{commit}")
}

// gotEdge fetches edge at v1 into a new work tree, in which it then is, and commits it.
func gotEdge(t *testing.T) *pkgOrigin {
	t.Helper()
	o := newPkgOrigin(t)
	o.tree = t.TempDir()
	t.Chdir(o.tree)
	gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", ".")
	mustRun(t, "pkg", "get", o.bare+"/edge@v1")
	commitAll(t, ".", "edge")
	return o
}

// again is in a copy of the work tree then.
func (o *pkgOrigin) again(t *testing.T) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	must(t, os.CopyFS(dir, os.DirFS(o.tree)))
	t.Chdir(dir)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustRun(t *testing.T, args ...string) cliRun {
	t.Helper()
	r := runCLI(t, args...)
	if r.code != exitDone {
		t.Fatalf("waybill %s: exit code %d, stderr:\n%s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r
}

// edit replaces text in a file, where it must be, and commits.
func edit(t *testing.T, file, before, after string) {
	t.Helper()
	text := readText(t, file)
	if !strings.Contains(text, before) {
		t.Fatalf("%s does not hold %q:\n%s", file, before, text)
	}
	writeFile(t, file, strings.ReplaceAll(text, before, after), 0o644)
	commitAll(t, ".", "edit")
}

func readText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// fromJSON reads what a command printed, of which every field must be known.
func fromJSON[T any](t *testing.T, r cliRun) (out T) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(r.stdout))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%v\nstdout:\n%s\nstderr:\n%s", err, r.stdout, r.stderr)
	}
	return out
}

// checkSilent wants no secret in what a command says.
func checkSilent(t *testing.T, r cliRun, secrets ...string) {
	t.Helper()
	for _, s := range append(secrets, "hush-") {
		if strings.Contains(r.stdout+r.stderr, s) {
			t.Errorf("%q is shown:\n%s%s", s, r.stdout, r.stderr)
		}
	}
}
