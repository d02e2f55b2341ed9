package main

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// porchFleet is a blueprint and a deployment repository that a real Porch and waybill share.
type porchFleet struct {
	testing.TB
	*porchtest.Porch
	porchLayout
	namespace               string
	dir                     string   // of the files of waybill
	blueprints, deployments string   // bare repositories
	bare                    []string // all of them
}

// porchLayout is where the repositories of a fleet have their packages.
type porchLayout struct {
	directory, branch string // of both repositories
	blank             bool   // the second repository is no deployment repository
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

// newPorchFleet is a fleet in a namespace of its own of the Porch that all tests share.
func newPorchFleet(t *testing.T, layout ...porchLayout) *porchFleet {
	t.Helper()
	p := porchtest.Shared(t)
	f := &porchFleet{TB: t, Porch: p, namespace: p.Namespace(t)}
	if len(layout) > 0 {
		f.porchLayout = layout[0]
	}
	f.fill()
	return f
}

// newPorchFleetAlone is a fleet in a Porch of its own, whose API server has these flags, in the namespace fleet.
func newPorchFleetAlone(t testing.TB, flags ...string) *porchFleet {
	t.Helper()
	f := &porchFleet{TB: t, Porch: porchtest.Start(t, flags...), namespace: "fleet"}
	if err := f.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: f.namespace}}); err != nil {
		t.Fatal(err)
	}
	f.fill()
	return f
}

// fill makes the repositories, and removes what is in the cluster when the test ends.
func (f *porchFleet) fill() {
	f.Helper()
	f.dir, f.blueprints, f.deployments = f.TempDir(), gittest.NewBare(f), gittest.NewBare(f)
	blueprint := map[string]string{}
	for _, file := range txtar.Parse([]byte(porchBlueprint)).Files {
		blueprint[file.Name] = string(file.Data)
	}
	f.release(1, gittest.Files(blueprint))
	repositories := f.repository("blueprints", f.blueprints) + f.emptyRepository("deployments", f.deployments)
	f.write("repositories.yaml", repositories)
	f.write("lyon.yaml", porchContext)
	f.create(repositories)
	f.Cleanup(f.empty)
}

// emptyRepository is a Repository of a bare repository without packages.
func (f *porchFleet) emptyRepository(name, dir string) string {
	f.Helper()
	gittest.Commit(f, dir, gittest.Change{Branch: f.branch, Files: gittest.Files(map[string]string{f.path("README.md"): "the fleet\n"})})
	return f.repository(name, dir)
}

// repository is a Repository of a bare repository.
func (f *porchFleet) repository(name, dir string) string {
	f.Helper()
	f.bare = append(f.bare, dir)
	return fmt.Sprintf("---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: %s, namespace: fleet}\n"+
		"spec: {type: git, deployment: %t, git: {repo: %q, branch: %q, directory: %q}}\n", name, name != "blueprints" && !f.blank,
		gittest.NewHTTP(f, dir), f.head(), f.directory)
}

// head is the branch of the published packages.
func (f *porchFleet) head() string { return cmp.Or(f.branch, "main") }

// empty deletes the variants and Repositories of the namespace, and their finalizers, whose controllers may have ended.
func (f *porchFleet) empty() {
	for _, kind := range []string{"packagevariantsets", "packagevariants", "repositories"} {
		names, err := f.Kubectl(f, f.Admin(), "", "get", kind, "-n", f.namespace, "-o", "name")
		for _, name := range strings.Fields(names) {
			_, deleted := f.Kubectl(f, f.Admin(), "", "delete", name, "-n", f.namespace, "--wait=false")
			_, _ = f.Kubectl(f, f.Admin(), "", "patch", name, "-n", f.namespace, "--type=merge", "-p", `{"metadata":{"finalizers":null}}`) // it may be gone
			err = cmp.Or(err, deleted)
		}
		if err != nil {
			f.Errorf("empty namespace %s: %v", f.namespace, err)
		}
	}
}

// path is the path of a package, or of a file, in its repository.
func (f *porchFleet) path(name string) string { return path.Join(f.directory, name) }

// here are objects in the namespace of the fleet.
func (f *porchFleet) here(objects string) string {
	return strings.ReplaceAll(objects, "namespace: fleet", "namespace: "+f.namespace)
}

func (f *porchFleet) write(name, objects string) {
	writeFile(f, filepath.Join(f.dir, name), f.here(objects), 0o644)
}

// create creates objects that Porch sees.
func (f *porchFleet) create(objects string) {
	f.Helper()
	if out, err := f.Kubectl(f, f.Admin(), f.here(objects), "apply", "-f", "-"); err != nil {
		f.Fatal(err, out)
	}
}

// release publishes a revision of the blueprint.
func (f *porchFleet) release(n int, files map[string]*string) {
	f.Helper()
	in := map[string]*string{}
	for name, text := range files {
		in[f.path(name)] = text
	}
	gittest.Commit(f, f.blueprints, gittest.Change{Branch: f.branch, Tag: fmt.Sprintf("%s/v%d", f.path("shop"), n), Files: in})
}

// reconcile runs waybill over the files, which must say what is wanted.
func (f *porchFleet) reconcile(want string) {
	f.Helper()
	r := runCLI(f, "reconcile", "-f", f.dir)
	if want = strings.Replace(want, "fleet/", f.namespace+"/", 1); r.code != exitDone || !strings.Contains(collapseSpaces(r.stdout), want) {
		f.Fatalf("reconcile: want %q, got exit code %d\n%s%s", want, r.code, r.stdout, r.stderr)
	}
}

// await waits until Porch lists a revision with this lifecycle.
func (f *porchFleet) await(name, lifecycle string) (found porchtest.Revision) {
	f.Helper()
	if !f.retry(3, func() bool {
		revs, err := f.Revisions(f, f.namespace)
		found = revs[name]
		return err == nil && found.Lifecycle == lifecycle
	}) {
		return f.Await(f, f.namespace, name, lifecycle)
	}
	return found
}

// retry asks until Porch is done, and changes the refs after every 10 s. Porch 1.5.3 may store an older list of a repository with
// the version of a newer one, and then lists that until the refs change again: a tag that is no revision changes them.
func (f *porchFleet) retry(tries int, done func() bool) bool {
	f.Helper()
	for range tries {
		for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(200 * time.Millisecond) {
			if done() {
				return true
			}
		}
		f.changeRefs()
	}
	return false
}

// changeRefs makes Porch read all repositories again.
func (f *porchFleet) changeRefs() {
	f.Helper()
	for _, dir := range f.bare {
		gittest.Git(f, dir, "tag", fmt.Sprintf("changed-%d", time.Now().UnixNano()), f.head())
	}
}

// publish has Porch propose and approve a draft.
func (f *porchFleet) publish(name string) porchtest.Revision {
	f.Helper()
	f.move(name, "Draft", "Proposed")
	f.move(name, "Proposed", "Published")
	return f.await(name, "Published")
}

// move has Porch change the lifecycle of a revision.
func (f *porchFleet) move(name, from, to string) {
	f.Helper()
	if err := f.SetLifecycle(f, f.await(name, from), to); err != nil {
		f.Fatalf("Porch: %s of %s: %v", to, name, err)
	}
}
