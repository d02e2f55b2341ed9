package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// clusterFleet is a cluster with many variants of a package of 20 objects, each of which has two functions and renders to files of its
// own, and the Git repositories behind an HTTP server. Controllers run as processes.
type clusterFleet struct {
	testing.TB
	*clustertest.Cluster
	client     client.Client
	kubeconfig string
	namespace  string
	sites      []string
	blueprints string // folders of the repositories
	drafts     string
	begin      [2]string              // copies of the folders
	version    int                    // of the upstream package
	lists      int                    // requests of this test
	onPush     atomic.Pointer[func()] // called once, by the next push
}

func newClusterFleet(t testing.TB, n int) *clusterFleet {
	t.Helper()
	f := &clusterFleet{TB: t, Cluster: clustertest.Shared(t), blueprints: gittest.NewBare(t), drafts: gittest.NewBare(t)}
	f.InstallCRDs(t, "../../controllers/manifests/crds")
	f.namespace, f.kubeconfig = f.Namespace(t), f.Kubeconfig(t, f.Admin())
	scheme := runtime.NewScheme()
	err := porchconfig.AddToScheme(scheme)
	if err == nil {
		f.client, err = client.New(f.Admin(), client.Options{Scheme: scheme})
	}
	if err != nil {
		t.Fatal(err)
	}
	gittest.Commit(t, f.drafts, gittest.Change{Message: "The fleet begins\n"})
	f.release()
	for name, dir := range map[string]string{"blueprints": f.blueprints, "deployments": f.drafts} {
		repo := &porchconfig.Repository{Spec: porchconfig.RepositorySpec{Type: "git", Deployment: name == "deployments",
			Git: &porchconfig.GitRepository{Repo: gittest.NewHTTP(t, dir, gittest.BeforeReceive(f.pushed))}}}
		repo.Namespace, repo.Name = f.namespace, name
		if err := f.client.Create(t.Context(), repo); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		f.sites = append(f.sites, fmt.Sprintf("site-%04d", i))
	}
	f.forEach(f.create)
	return f
}

func (f *clusterFleet) pushed() {
	if do := f.onPush.Swap(nil); do != nil {
		(*do)()
	}
}

// release publishes the next revision of the package.
func (f *clusterFleet) release() {
	f.Helper()
	f.version++
	files := map[string]string{"shop/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"}
	for i := range 20 {
		text := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: part-%d # one of many\ndata:\n", i)
		for line := range 20 {
			text += fmt.Sprintf("  key-%d: \"value %d of part %d\"\n", line, line, i)
		}
		if i == 3 {
			text += fmt.Sprintf("  version: \"%d\"\n", f.version)
		}
		files[fmt.Sprintf("shop/part-%02d.yaml", i)] = text
	}
	when := gittest.Epoch.Add(time.Duration(f.version) * time.Minute)
	gittest.Commit(f, f.blueprints, gittest.Change{Files: gittest.Files(files), When: when, Tag: fmt.Sprintf("shop/v%d", f.version)})
}

// forEach does something for all sites, some at a time.
func (f *clusterFleet) forEach(do func(site string) error) {
	f.Helper()
	errs := make([]error, len(f.sites))
	workqueue.ParallelizeUntil(f.Context(), 8, len(f.sites), func(i int) { errs[i] = do(f.sites[i]) })
	for _, err := range errs {
		if err != nil {
			f.Fatal(err)
		}
	}
}

func (f *clusterFleet) create(site string) error {
	pv := &porchconfig.PackageVariant{Spec: porchconfig.PackageVariantSpec{
		Upstream:   &porchconfig.Upstream{Repo: "blueprints", Package: "shop", Follow: "latest"},
		Downstream: &porchconfig.Downstream{Repo: "deployments", Package: site + "/shop"},
		Pipeline: &kptfilev1.Pipeline{Mutators: []kptfilev1.Function{
			{Image: "gcr.io/kpt-fn/set-namespace:v0.4.1", Name: "namespace", ConfigMap: map[string]string{"namespace": site}},
			{Image: "gcr.io/kpt-fn/set-labels:v0.2.0", Name: "labels", ConfigMap: map[string]string{"site": site}},
		}},
	}}
	pv.Namespace, pv.Name = f.namespace, site
	return f.client.Create(f.Context(), pv)
}

// refs are the branches and tags of the deployments, with their commits.
func (f *clusterFleet) refs() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(gittest.Git(f, f.drafts, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/drafts", "refs/tags")) {
		name, commit, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[name] = commit
	}
	return out
}

// openDrafts are the branches of drafts.
func (f *clusterFleet) openDrafts() (n int) {
	for name := range f.refs() {
		if strings.HasPrefix(name, "refs/heads/") {
			n++
		}
	}
	return n
}

// await waits until so many drafts are open. It asks the API server for nothing.
func (f *clusterFleet) await(n int) {
	f.Helper()
	for began := time.Now(); f.openDrafts() < n; time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > 10*time.Minute {
			f.Fatalf("%d of %d drafts after %s", f.openDrafts(), n, time.Since(began))
		}
	}
}

// awaitReady waits until all variants are ready, and name as many revisions as there are versions.
func (f *clusterFleet) awaitReady() {
	f.Helper()
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		f.lists++
		var list porchconfig.PackageVariantList
		if err := f.client.List(f.Context(), &list, client.InNamespace(f.namespace)); err != nil {
			f.Fatal(err)
		}
		waiting := slices.IndexFunc(list.Items, func(pv porchconfig.PackageVariant) bool {
			return !meta.IsStatusConditionTrue(pv.Status.Conditions, porchconfig.ConditionReady) || len(pv.Status.DownstreamTargets) == 0 ||
				!strings.HasSuffix(pv.Status.DownstreamTargets[0].Name, fmt.Sprint("packagevariant-", f.version))
		})
		if waiting < 0 && len(list.Items) == len(f.sites) {
			return
		}
		if time.Since(began) > 10*time.Minute {
			f.Fatalf("a variant waits: %+v", list.Items[waiting].Status)
		}
	}
}

// publish approves all drafts, as a person would with waybill rpkg.
func (f *clusterFleet) publish() {
	f.Helper()
	repo, err := gitrepo.Open(f.Context(), f.drafts, gitrepo.Options{})
	if err != nil {
		f.Fatal(err)
	}
	store, err := revision.New(repo, revision.Config{Name: "deployments"})
	if err != nil {
		f.Fatal(err)
	}
	for _, op := range []revision.Op{revision.OpPropose, revision.OpApprove} {
		revs, err := store.List()
		if err != nil {
			f.Fatal(err)
		}
		var changes []revision.Change
		for _, rev := range revs {
			if rev.Revision == 0 {
				changes = append(changes, revision.Change{Op: op, Revision: rev})
			}
		}
		if _, err := store.ChangeAll(f.Context(), changes, revision.Stamp{}); err != nil {
			f.Fatal(err)
		}
	}
}

// pollNow has the controllers read a repository.
func (f *clusterFleet) pollNow(names ...string) {
	f.Helper()
	for _, name := range names {
		repo := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Namespace: f.namespace, Name: name}}
		at := time.Now().UTC().Format(time.RFC3339)
		patch := fmt.Sprintf(`{"spec":{"sync":{"runOnceAt":%q}}}`, at)
		if err := f.client.Patch(f.Context(), repo, client.RawPatch("application/merge-patch+json", []byte(patch))); err != nil {
			f.Fatal(err)
		}
	}
}

// publishRevisions has a controller draft n revisions of each variant, and approves them.
func (f *clusterFleet) publishRevisions(n int) {
	f.Helper()
	p := f.runController()
	defer p.end()
	for {
		f.await(len(f.sites))
		f.publish()
		if f.version == n {
			break
		}
		f.release()
		f.pollNow("deployments", "blueprints")
	}
	f.awaitReady()
	f.begin = [2]string{filepath.Join(f.TempDir(), "blueprints"), filepath.Join(f.TempDir(), "deployments")}
	f.copy(f.blueprints, f.begin[0])
	f.copy(f.drafts, f.begin[1])
}

func (f *clusterFleet) copy(from, to string) {
	f.Helper()
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(filepath.Dir(to), 0o700), os.CopyFS(to, os.DirFS(from))); err != nil {
		f.Fatal(err)
	}
}

// restore has the repositories as publishRevisions left them.
func (f *clusterFleet) restore() {
	f.Helper()
	f.copy(f.begin[0], f.blueprints)
	f.copy(f.begin[1], f.drafts)
	f.version = len(strings.Fields(gittest.Git(f, f.blueprints, "tag")))
}

// settle waits until controllers have looked at all variants, and do nothing any more.
func (f *clusterFleet) settle(all ...*process) {
	f.Helper()
	f.awaitReady()
	passed := func() (n int) {
		for _, p := range all {
			for _, pass := range passLine.FindAllStringSubmatch(p.log.String(), -1) {
				more, _ := strconv.Atoi(pass[1]) // digits
				n += more
			}
		}
		return n
	}
	for began := time.Now(); passed() < len(f.sites); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > 5*time.Minute {
			f.Fatalf("the controllers looked at %d of %d variants", passed(), len(f.sites))
		}
	}
	used := func() (sum time.Duration) {
		for _, p := range all {
			sum += f.processorTime(p)
		}
		return sum
	}
	for before := time.Duration(-1); used() > before+50*time.Millisecond; time.Sleep(time.Second) {
		before = used()
	}
}

var passLine = regexp.MustCompile(` msg=pass .*? variants=(\d+) `)
