package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// porchFleet is a blueprint and a deployment repository that a real Porch and waybill share.
type porchFleet struct {
	testing.TB
	*porchtest.Porch
	dir                     string // of the files of waybill
	blueprints, deployments string // bare repositories
}

const porchApp = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, labels: {app: shop}}\ndata:\n  greeting: hello\n"

const porchBlueprint = `-- shop/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
-- shop/app.yaml --
` + porchApp + `-- shop/site.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: site
  annotations:
    kpt.dev/config-injection: required
data:
  cidr: 0.0.0.0/0
`

func newPorchFleet(t testing.TB, flags ...string) *porchFleet {
	t.Helper()
	f := &porchFleet{TB: t, Porch: porchtest.Start(t, flags...), dir: t.TempDir(), blueprints: gittest.NewBare(t), deployments: gittest.NewBare(t)}
	blueprint := map[string]string{}
	for _, file := range txtar.Parse([]byte(porchBlueprint)).Files {
		blueprint[file.Name] = string(file.Data)
	}
	f.release(1, gittest.Files(blueprint))
	gittest.Commit(t, f.deployments, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "the fleet\n"})})
	if err := f.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "fleet"}}); err != nil {
		t.Fatal(err)
	}
	repositories := ""
	for name, dir := range map[string]string{"blueprints": f.blueprints, "deployments": f.deployments} {
		repositories += fmt.Sprintf("---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: %s, namespace: fleet}\n"+
			"spec: {type: git, deployment: %t, git: {repo: %q}}\n", name, name == "deployments", gittest.NewHTTP(t, dir))
	}
	f.write("repositories.yaml", repositories)
	f.write("lyon.yaml", porchContext)
	f.create(repositories)
	return f
}

func (f *porchFleet) write(name, text string) { writeFile(f, filepath.Join(f.dir, name), text, 0o644) }

// create creates objects that Porch sees.
func (f *porchFleet) create(objects string) {
	f.Helper()
	if out, err := f.Kubectl(f, f.Admin(), objects, "apply", "-f", "-"); err != nil {
		f.Fatal(err, out)
	}
}

// release publishes a revision of the blueprint.
func (f *porchFleet) release(n int, files map[string]*string) {
	f.Helper()
	gittest.Commit(f, f.blueprints, gittest.Change{Tag: fmt.Sprintf("shop/v%d", n), Files: files})
}

// reconcile runs waybill over the files, which must say what is wanted.
func (f *porchFleet) reconcile(want string) {
	f.Helper()
	r := runCLI(f, "reconcile", "-f", f.dir)
	if r.code != exitDone || !strings.Contains(collapseSpaces(r.stdout), want) {
		f.Fatalf("reconcile: want %q, got exit code %d\n%s%s", want, r.code, r.stdout, r.stderr)
	}
}

// publish has Porch propose and approve a draft.
func (f *porchFleet) publish(name string) porchtest.Revision {
	f.Helper()
	for _, step := range []struct{ from, to string }{{"Draft", "Proposed"}, {"Proposed", "Published"}} {
		if err := f.SetLifecycle(f, f.Await(f, "fleet", name, step.from), step.to); err != nil {
			f.Fatalf("Porch: %s of %s: %v", step.to, name, err)
		}
	}
	return f.Await(f, "fleet", name, "Published")
}

const porchContext = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lyon, namespace: fleet}\ndata: {cidr: 10.2.0.0/16}\n"

const porchVariant = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: eu, namespace: fleet}
spec:
  upstream: {repo: blueprints, package: shop, revision: 1}
  downstream: {repo: deployments, package: eu/shop}
  packageContext: {data: {region: eu}}
  injectors: [{kind: ConfigMap, name: lyon}]
`

// TestPorchContinuesOurs drafts a package, which a real Porch lists, proposes and approves; then nothing is left to do, until
// upstream moves.
func TestPorchContinuesOurs(t *testing.T) {
	f := newPorchFleet(t)
	f.write("eu.yaml", porchVariant)
	f.reconcile("fleet/eu created deployments.eu.shop.packagevariant-1")
	drafted := f.Await(t, "fleet", "deployments.eu.shop.packagevariant-1", "Draft")
	files, _ := f.Resources(t, drafted)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, []string{"Kptfile", "app.yaml", "package-context.yaml", "site.yaml"}) || !strings.Contains(files["site.yaml"], "10.2.0.0/16") {
		t.Errorf("Porch shows the files of the draft; got %v\n%s", got, files["site.yaml"])
	}
	published := f.publish(drafted.Name)
	if published.Revision != 1 {
		t.Errorf("it is revision %d", published.Revision)
	}
	refs := gittest.Refs(t, f.deployments)
	f.reconcile("fleet/eu unchanged")
	if after := gittest.Refs(t, f.deployments); after != refs {
		t.Errorf("an approval by Porch makes no new draft; refs were\n%sand are\n%s", refs, after)
	}
	text := strings.Replace(porchApp, "hello", "good day", 1)
	f.release(2, map[string]*string{"shop/app.yaml": &text})
	f.write("eu.yaml", strings.Replace(porchVariant, "revision: 1", "revision: 2", 1))
	f.reconcile("fleet/eu created deployments.eu.shop.packagevariant-2")
	if second := f.publish("deployments.eu.shop.packagevariant-2"); second.Revision != 2 {
		t.Errorf("the upgrade is revision %d", second.Revision)
	}
	f.reconcile("fleet/eu unchanged")
}

// TestWaybillContinuesPorchs adopts a package that a real Porch cloned and published, and upgrades it: what was edited stays,
// names stay, and Porch goes on with the result.
func TestWaybillContinuesPorchs(t *testing.T) {
	f := newPorchFleet(t)
	f.Await(t, "fleet", "blueprints.shop.v1", "Published")
	draft := f.Clone(t, "fleet", "deployments", "eu/shop", "one", "blueprints.shop.v1")
	f.Edit(t, draft, "app.yaml", "hello", "hello\n  door: open")
	f.publish(draft.Name)
	before := gittest.Git(t, f.deployments, "show", "main:eu/shop/Kptfile")
	text := strings.Replace(porchApp, "hello", "good day", 1)
	f.release(2, map[string]*string{"shop/app.yaml": &text})
	f.write("eu.yaml", strings.Replace(porchVariant, "revision: 1", "revision: 2", 1)+"  adoptionPolicy: adoptExisting\n")
	f.reconcile("fleet/eu created deployments.eu.shop.packagevariant-1")
	upgraded := f.publish("deployments.eu.shop.packagevariant-1")
	if upgraded.Revision != 2 {
		t.Errorf("the upgrade is revision %d", upgraded.Revision)
	}
	files, _ := f.Resources(t, upgraded)
	for file, wants := range map[string][]string{"app.yaml": {"greeting: good day", "door: open"}, "site.yaml": {"10.2.0.0/16"}, "package-context.yaml": {"region: eu", "name: eu/shop"}, "Kptfile": {"ref: shop/v2", "name: eu/shop"}} {
		for _, want := range wants {
			if !strings.Contains(files[file], want) {
				t.Errorf("%s has no %q:\n%s\nPorch's Kptfile was\n%s", file, want, files[file], before)
			}
		}
	}
	f.reconcile("fleet/eu unchanged")
}

// TestPorchSharesTheLifecycle moves a draft of ours to and fro, by Porch and by waybill.
func TestPorchSharesTheLifecycle(t *testing.T) {
	f := newPorchFleet(t)
	f.write("eu.yaml", porchVariant)
	f.reconcile("fleet/eu created")
	const name = "deployments.eu.shop.packagevariant-1"
	rpkg := func(verb, want string) {
		t.Helper()
		if r := runCLI(t, "rpkg", verb, "-f", f.dir, name); r.code != exitDone || !strings.Contains(collapseSpaces(r.stdout), want) {
			t.Fatalf("rpkg %s: want %q, got exit code %d\n%s%s", verb, want, r.code, r.stdout, r.stderr)
		}
	}
	f.Await(t, "fleet", name, "Draft")
	rpkg("propose", "proposed")
	if err := f.SetLifecycle(t, f.Await(t, "fleet", name, "Proposed"), "Draft"); err != nil {
		t.Fatalf("Porch rejects: %v", err)
	}
	rpkg("get", "Draft")
	f.Edit(t, f.Await(t, "fleet", name, "Draft"), "app.yaml", "hello", "hullo")
	f.reconcile("fleet/eu unchanged")
	if got := gittest.Git(t, f.deployments, "show", "drafts/eu/shop/packagevariant-1:eu/shop/app.yaml"); !strings.Contains(got, "hullo") {
		t.Errorf("an edit by Porch stays; got\n%s", got)
	}
	rpkg("propose", "proposed")
	rpkg("approve", "approved")
	published := f.Await(t, "fleet", name, "Published")
	if by, _, _ := unstructured.NestedString(published.Object.Object, "status", "publishedBy"); by != "grace@example.com" {
		t.Errorf("Porch says that %q published it", by)
	}
	if err := f.SetLifecycle(t, published, "DeletionProposed"); err != nil {
		t.Fatalf("Porch proposes the deletion: %v", err)
	}
	rpkg("get", "DeletionProposed")
	rpkg("reject", "no longer proposed for deletion")
	f.Await(t, "fleet", name, "Published")
}
