package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// draftFleet is a repository of blueprints with package shop and one of deployments, which is empty.
type draftFleet struct{ blueprints, deployments, file string }

const shopObject = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\ndata:\n  greeting: hello\n"

func newDraftFleet(t *testing.T) draftFleet {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1767323045")
	f := draftFleet{gittest.NewBare(t), gittest.NewBare(t), filepath.Join(t.TempDir(), "repositories.yaml")}
	gittest.Commit(t, f.blueprints, gittest.Change{Tag: "shop/v1", Files: gittest.Files(map[string]string{
		"shop/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n", "shop/app.yaml": shopObject})})
	gittest.Commit(t, f.deployments, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "the fleet\n"})})
	writeFile(t, f.file, repositoryYAML("fleet", "blueprints", f.blueprints)+"---\n"+
		strings.Replace(repositoryYAML("fleet", "deployments", f.deployments), "type: git\n", "type: git\n  deployment: true\n", 1), 0o644)
	return f
}

// release publishes a revision of the blueprint with this object.
func (f draftFleet) release(t *testing.T, tag, object string) {
	t.Helper()
	gittest.Commit(t, f.blueprints, gittest.Change{Tag: tag, Files: gittest.Files(map[string]string{"shop/app.yaml": object})})
}

func (f draftFleet) run(t *testing.T, step string) cliRun {
	t.Helper()
	return runRpkg(t, rpkgFleet{file: f.file}, step)
}

// do runs a step that must succeed.
func (f draftFleet) do(t *testing.T, step string) cliRun {
	t.Helper()
	r := f.run(t, step)
	if r.code != exitDone {
		t.Fatalf("%s: exit code %d, stdout %q, stderr %q", step, r.code, r.stdout, r.stderr)
	}
	return r
}

func (f draftFleet) show(t *testing.T, at string) string {
	t.Helper()
	return gittest.Git(t, f.deployments, "show", at)
}

// publishAs proposes and approves a draft of eu/shop.
func (f draftFleet) publish(t *testing.T, workspace string) {
	t.Helper()
	f.do(t, "propose deployments.eu.shop."+workspace)
	f.do(t, "approve deployments.eu.shop."+workspace)
}

// TestRpkgClone clones from a revision and from a URL: one commit with Porch's message, by the user.
func TestRpkgClone(t *testing.T) {
	f := newDraftFleet(t)
	for name, tc := range map[string]struct{ args, task, ref string }{
		"revision": {"blueprints.shop.v1 eu/shop", `{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.shop.v1"}},"strategy":"resource-merge"}}`, "shop/v1"},
		"url":      {f.blueprints + " us/shop --directory shop --ref shop/v1", `{"type":"clone","clone":{"upstreamRef":{"type":"git","git":{"repo":"` + strings.TrimSuffix(f.blueprints, ".git") + `","ref":"shop/v1","directory":"shop"}},"strategy":"resource-merge"}}`, "shop/v1"},
		"strategy": {"blueprints.shop.v1 asia/shop --strategy fast-forward", `{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.shop.v1"}},"strategy":"fast-forward"}}`, "shop/v1"},
	} {
		pkg := strings.Fields(tc.args)[1]
		r := f.do(t, "clone "+tc.args+" --repository deployments")
		if want := "deployments." + strings.ReplaceAll(pkg, "/", ".") + ".v1 created\n"; r.stdout != want {
			t.Errorf("%s: stdout %q, want %q", name, r.stdout, want)
		}
		branch := "drafts/" + pkg + "/v1"
		want := "Creating new revision by cloning\n\n\nkpt:" + `{"package":"` + pkg + `","workspaceName":"v1","revision":"0","task":` + tc.task + "}"
		if diff := cmp.Diff(want, strings.TrimSpace(gittest.Git(t, f.deployments, "log", "-1", "--format=%B", branch))); diff != "" {
			t.Errorf("%s: message (-want +got):\n%s", name, diff)
		}
		if by := gittest.Git(t, f.deployments, "log", "-1", "--format=%an %at", branch); by != "Grace 1767323045" {
			t.Errorf("%s: made by %q", name, by)
		}
		k := f.show(t, branch+":"+pkg+"/Kptfile")
		if !strings.Contains(k, "name: "+pkg+"\n") || !strings.Contains(k, "ref: "+tc.ref) || strings.Contains(k, "fast-forward") != (name == "strategy") {
			t.Errorf("%s: Kptfile\n%s", name, k)
		}
		if c := f.show(t, branch+":"+pkg+"/package-context.yaml"); !strings.Contains(c, "package-path: "+pkg) {
			t.Errorf("%s: context\n%s", name, c)
		}
	}
	again := newDraftFleet(t)
	again.do(t, "clone blueprints.shop.v1 eu/shop --repository deployments")
	again.do(t, "clone blueprints.shop.v1 eu/web --repository deployments")
	if files := gittest.Git(t, again.deployments, "ls-tree", "-r", "--name-only", "drafts/eu/shop/v1"); files != "README.md\neu/shop/Kptfile\neu/shop/app.yaml\neu/shop/package-context.yaml" {
		t.Errorf("the draft holds\n%s", files)
	}
}

// TestRpkgUpgrade copies, edits by push, and upgrades: edits stay, and a conflict writes nothing.
func TestRpkgUpgrade(t *testing.T) {
	f := newDraftFleet(t)
	t.Chdir(t.TempDir())
	f.do(t, "clone blueprints.shop.v1 eu/shop --repository deployments --workspace one")
	f.publish(t, "one")
	f.do(t, "copy deployments.eu.shop.one --workspace two")
	f.do(t, "pull deployments.eu.shop.two")
	app := readText(t, "shop/app.yaml")
	writeFile(t, "shop/app.yaml", strings.Replace(app, "hello", "hello\n  door: open", 1), 0o644)
	if r := f.do(t, "push deployments.eu.shop.two shop"); r.stdout != "deployments.eu.shop.two pushed\n" {
		t.Error(r.stdout)
	}
	if r := f.do(t, "push deployments.eu.shop.two shop"); r.stdout != "deployments.eu.shop.two unchanged\n" {
		t.Errorf("a second push: %q", r.stdout)
	}
	if files := gittest.Git(t, f.deployments, "ls-tree", "-r", "--name-only", "drafts/eu/shop/two", "eu"); strings.Contains(files, ".Kpt") {
		t.Errorf("the metadata of the folder was pushed:\n%s", files)
	}
	f.publish(t, "two")

	f.release(t, "shop/v2", strings.Replace(shopObject, "hello", "good day", 1))
	f.release(t, "shop/v3", strings.Replace(shopObject, "hello", "good evening", 1))
	const table = `PACKAGE REVISION          UPSTREAM             UPSTREAM REPOSITORY   UPSTREAM UPDATES
deployments.eu.shop.two   blueprints.shop.v1   blueprints            v2, v3
`
	for _, step := range []string{"upgrade --discover upstream", "upgrade --discover downstream blueprints.shop.v1", "upgrade --discover upstream deployments.eu.shop.two"} {
		if diff := cmp.Diff(table, f.do(t, step).stdout); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	f.do(t, "upgrade deployments.eu.shop.two --workspace three --revision 2")
	for file, want := range map[string]string{"app.yaml": "greeting: good day\n  door: open", "Kptfile": "ref: shop/v2"} {
		if got := f.show(t, "drafts/eu/shop/three:eu/shop/"+file); !strings.Contains(got, want) {
			t.Errorf("%s has no %q:\n%s", file, want, got)
		}
	}
	message := gittest.Git(t, f.deployments, "log", "-1", "--format=%B", "drafts/eu/shop/three")
	if want := `"task":{"type":"upgrade","upgrade":{"oldUpstreamRef":{"name":"blueprints.shop.v1"},"newUpstreamRef":{"name":"blueprints.shop.v2"},"localPackageRevisionRef":{"name":"deployments.eu.shop.two"},"strategy":"resource-merge"}}}`; !strings.HasPrefix(message, "Upgrading revision\n\n\n") || !strings.Contains(message, want) {
		t.Errorf("message %q", message)
	}

	f.do(t, "copy deployments.eu.shop.two --workspace four")
	f.do(t, "pull deployments.eu.shop.four four")
	writeFile(t, "four/app.yaml", strings.Replace(readText(t, "four/app.yaml"), "hello", "ahoy", 1), 0o644)
	f.do(t, "push deployments.eu.shop.four four")
	f.publish(t, "four")
	before := gittest.Refs(t, f.deployments)
	if r := f.run(t, "upgrade deployments.eu.shop.four --workspace five"); r.code != exitFailed || !strings.Contains(r.stderr, "data.greeting") || !strings.Contains(r.stderr, "--on-conflict") || gittest.Refs(t, f.deployments) != before {
		t.Errorf("a conflict: exit code %d, stderr %q", r.code, r.stderr)
	}
	for strategy, want := range map[string]string{"resource-merge --on-conflict local": "ahoy", "resource-merge --on-conflict upstream": "good evening", "force-delete-replace": "good evening", "copy-merge": "good evening"} {
		workspace := strings.NewReplacer(" ", "", "--on-conflict", "-").Replace(strategy)
		f.do(t, "upgrade deployments.eu.shop.four --workspace "+workspace+" --strategy "+strategy)
		if got := f.show(t, "drafts/eu/shop/"+workspace+":eu/shop/app.yaml"); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", strategy, want, got)
		}
	}
	if r := f.run(t, "upgrade deployments.eu.shop.four --workspace ff --strategy fast-forward"); r.code != exitFailed || !strings.Contains(r.stderr, "the package was edited") {
		t.Errorf("fast-forward: exit code %d, stderr %q", r.code, r.stderr)
	}
}

// TestRpkgPushGuard refuses a folder whose draft moved, one of another draft, and one of no draft.
func TestRpkgPushGuard(t *testing.T) {
	f := newDraftFleet(t)
	t.Chdir(t.TempDir())
	f.do(t, "clone blueprints.shop.v1 eu/shop --repository deployments --workspace one")
	f.do(t, "clone blueprints.shop.v1 us/shop --repository deployments --workspace one")
	const name = "deployments.eu.shop.one"
	f.do(t, "pull "+name+" mine")
	f.do(t, "pull "+name+" yours")
	must(t, os.CopyFS("plain", os.DirFS("mine")))
	must(t, os.Remove("plain/.KptRevisionMetadata"))
	writeFile(t, "yours/app.yaml", strings.Replace(shopObject, "hello", "ahoy", 1), 0o644)
	f.do(t, "push "+name+" yours")
	writeFile(t, "mine/app.yaml", strings.Replace(shopObject, "hello", "hey", 1), 0o644)
	before := gittest.Refs(t, f.deployments)
	commit := gittest.Git(t, f.deployments, "rev-parse", "drafts/eu/shop/one~1")
	for step, says := range map[string]string{
		name + " mine":                 "the draft moved from commit",
		name + " plain --at " + commit: "the draft moved from commit",
		name + " plain":                `folder "plain" was not pulled from a draft`,
		"deployments.us.shop.one mine": `folder "mine" was pulled from fleet/` + name,
		name + " missing":              "missing",
		"blueprints.shop.v1 mine":      "it is Published, and only drafts can be changed",
	} {
		if r := f.run(t, "push "+step); r.code != exitFailed || !strings.Contains(r.stderr, says) || r.stdout != "" {
			t.Errorf("push %s: exit code %d, stderr %q, want %q", step, r.code, r.stderr, says)
		}
	}
	if after := gittest.Refs(t, f.deployments); after != before {
		t.Errorf("refs moved (-before +after):\n%s", cmp.Diff(before, after))
	}
	writeFile(t, "yours/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n  - image: set-labels:v0.2\n    configMap: {tier: web}\n", 0o644)
	f.do(t, "push "+name+" yours")
	if got := f.show(t, "drafts/eu/shop/one:eu/shop/app.yaml"); !strings.Contains(got, "tier: web") {
		t.Errorf("the functions of the package did not run:\n%s", got)
	}
}

// TestRpkgInit makes a package without objects.
func TestRpkgInit(t *testing.T) {
	f := newDraftFleet(t)
	f.do(t, "init eu/net --repository deployments --workspace first --description lines --keywords a,b --site https://example.com")
	const branch = "drafts/eu/net/first"
	want := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: eu/net\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ninfo:\n  site: https://example.com\n  description: lines\n  keywords:\n  - a\n  - b"
	if diff := cmp.Diff(want, f.show(t, branch+":eu/net/Kptfile")); diff != "" {
		t.Errorf("Kptfile (-want +got):\n%s", diff)
	}
	if files := gittest.Git(t, f.deployments, "ls-tree", "-r", "--name-only", branch, "eu"); files != "eu/net/Kptfile\neu/net/README.md\neu/net/package-context.yaml" {
		t.Errorf("files:\n%s", files)
	}
	if got := gittest.Git(t, f.deployments, "log", "-1", "--format=%B", branch); !strings.HasPrefix(got, "Creating new empty revision\n\n\n") || !strings.Contains(got, `"task":{"type":"init","init":{"description":"lines","keywords":["a","b"],"site":"https://example.com"}}`) {
		t.Errorf("message %q", got)
	}
}

// TestRpkgDraftRefuses names what is wrong, and writes nothing.
func TestRpkgDraftRefuses(t *testing.T) {
	f := newDraftFleet(t)
	f.do(t, "clone blueprints.shop.v1 eu/shop --repository deployments --workspace one")
	before := gittest.Refs(t, f.deployments)
	for step, tc := range map[string]struct {
		code int
		says string
	}{
		"clone blueprints.shop.v1 eu/shop --repository deployments":                {exitFailed, "the package exists already"},
		"clone blueprints.shop.v1 eu/web":                                          {exitUsage, "--repository"},
		"clone blueprints.shop.v1 eu/web --repository none":                        {exitFailed, `there is no Repository "none"`},
		"clone blueprints.shop.v1 eu/web --repository deployments --ref v1":        {exitUsage, "--ref is for a Git URL"},
		"clone blueprints.shop.v1 eu/web --secret-ref s --ref v1 --directory d":    {exitUsage, "--directory is for a Git URL"},
		"clone blueprints.shop.v1 eu/web --repository deployments --strategy best": {exitUsage, `unknown update strategy "best"`},
		"clone blueprints.shop.main eu/web --repository deployments":               {exitFailed, "it is the content of a branch, and has no number"},
		"clone deployments.eu.shop.one us/shop --repository deployments":           {exitFailed, "it is Draft, and not published: approve it first"},
		"clone blueprints.shop.v1 Eu --repository deployments":                     {exitFailed, `package name segment "Eu"`},
		"clone https://u:hunter2@127.0.0.1:1/x.git/y a --repository deployments":   {exitFailed, "127.0.0.1:1"},
		"copy deployments.eu.shop.one --workspace two":                             {exitFailed, "it is Draft, and not published"},
		"clone oci://jo:hunter2@r.example/x a --repository deployments":            {exitUsage, "the URL holds credentials"},
		"clone oci://r.example/x a --repository deployments --secret-ref s":        {exitUsage, "--secret-ref is for Git repositories"},
		"copy blueprints.shop.v1":                                                  {exitUsage, "--workspace"},
		"upgrade blueprints.shop.v1 --workspace two":                               {exitFailed, "blueprints.shop.v1 has no upstream"},
		"upgrade": {exitUsage, "accepts 1 arg(s)"},
		"init shop --repository blueprints --workspace two":        {exitFailed, "the package exists already: init makes new packages"},
		"init eu/shop/in --repository deployments --workspace two": {exitFailed, `it would lie inside package "eu/shop"`},
		"push deployments.eu.shop.one":                             {exitUsage, "accepts 2 arg(s)"},
	} {
		r := f.run(t, step)
		if r.code != tc.code || !strings.Contains(r.stderr, tc.says) || strings.Contains(r.stderr, "hunter2") || r.stdout != "" {
			t.Errorf("%s: exit code %d (want %d), stdout %q, stderr %q, want %q", step, r.code, tc.code, r.stdout, r.stderr, tc.says)
		}
	}
	if after := gittest.Refs(t, f.deployments); after != before {
		t.Errorf("refs moved (-before +after):\n%s", cmp.Diff(before, after))
	}
}
