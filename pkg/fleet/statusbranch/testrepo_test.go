package statusbranch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fleet/statusbranch"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

const bindingText = `apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  destinations: [{clusterId: edge1}, {clusterId: edge2}]
  workload:
    namespaceScope:
    - {group: apps, version: v1, resource: deployments, namespace: shop, name: web, statusCollectors: [ready]}
    - {group: apps, version: v1, resource: deployments, namespace: shop, name: api, statusCollectors: [ready]}
`

const collectorText = `apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: ready}
spec:
  combinedFields:
  - {name: clusters, type: COUNT}
  - {name: ready, type: SUM, subject: "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"}
  limit: 20
`

const objectsText = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
`

// fleet is a package in the directory fleet.
var fleet = map[string]string{
	"fleet/bindings/shop.yaml": bindingText, "fleet/collectors.yaml": collectorText, "fleet/objects.yaml": objectsText,
}

// testRepo is a repository, what reports, and a Publisher.
type testRepo struct {
	testing.TB
	dir, url  string
	reports   map[reports.Source]map[string]any
	repo      *gitrepo.Repo
	reopened  int
	options   statusbranch.Options
	publisher *statusbranch.Publisher
	clock     time.Time
}

func newTestRepo(t testing.TB, files map[string]string) *testRepo {
	t.Helper()
	w := &testRepo{
		TB: t, dir: gittest.NewBare(t), reports: map[reports.Source]map[string]any{}, clock: gittest.Epoch,
		options: statusbranch.Options{Package: "fleet", Branch: "status"},
	}
	w.url = w.dir
	if files != nil {
		gittest.Commit(t, w.dir, gittest.Change{Files: gittest.Files(files)})
	}
	w.options.Now = func() time.Time { w.clock = w.clock.Add(time.Minute); return w.clock }
	w.restart()
	return w
}

// Open is that of a statusbranch.Repository.
func (w *testRepo) Open(ctx context.Context) (out statusbranch.Opened, err error) {
	if w.repo == nil {
		w.repo, err = gitrepo.Open(ctx, w.url, gitrepo.Options{})
	} else {
		err = w.repo.Refresh(ctx)
	}
	return statusbranch.Opened{Repo: w.repo, Branch: "main"}, err
}

// Reopen is that of a statusbranch.Repository.
func (w *testRepo) Reopen() { w.repo, w.reopened = nil, w.reopened+1 }

// restart begins with a Publisher that has to be told of everything.
func (w *testRepo) restart() {
	w.Helper()
	w.repo, w.publisher = nil, statusbranch.New(w, w.options)
	for source, obj := range w.reports {
		w.put(source, obj)
	}
}

func (w *testRepo) put(source reports.Source, obj map[string]any) {
	w.Helper()
	w.reports[source] = obj
	if err := w.publisher.Put(source, obj); err != nil {
		w.Fatal(err)
	}
}

// report has a cluster report so many replicas of a Deployment; less than none takes the report away.
func (w *testRepo) report(cluster, name string, ready int) {
	w.Helper()
	source := reports.Source{Kind: reports.WorkStatus, Namespace: cluster, Name: name}
	if ready < 0 {
		delete(w.reports, source)
		w.publisher.Delete(source)
		return
	}
	text := fmt.Sprintf(`{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": {"name": %q, "namespace": %q},
		"spec": {"sourceRef": {"group": "apps", "version": "v1", "resource": "deployments", "kind": "Deployment", "namespace": "shop", "name": %q}},
		"status": {"readyReplicas": %d}}`, name, cluster, name, ready)
	var obj map[string]any
	if err := json.Unmarshal([]byte(text), &obj); err != nil {
		w.Fatal(err)
	}
	w.put(source, obj)
}

// pass makes a pass, which has to go well.
func (w *testRepo) pass() statusbranch.Result {
	w.Helper()
	out, err := w.publisher.Publish(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// commits are the subjects on the branch, newest first.
func (w *testRepo) commits() []string {
	w.Helper()
	if !strings.Contains(gittest.Refs(w, w.dir), "refs/heads/status") {
		return nil
	}
	return strings.Split(gittest.Git(w, w.dir, "log", "--format=%s", "status"), "\n")
}

// files are those of the branch.
func (w *testRepo) files() map[string]string {
	w.Helper()
	out := map[string]string{}
	if len(w.commits()) == 0 {
		return out
	}
	for at := range strings.SplitSeq(gittest.Git(w, w.dir, "ls-tree", "-r", "--name-only", "status"), "\n") {
		if at != "" {
			out[at] = gittest.Git(w, w.dir, "show", "status:"+at) + "\n"
		}
	}
	return out
}

// fromFunction is what function combine-status writes into the package, with the reports in it.
func (w *testRepo) fromFunction() map[string]string {
	w.Helper()
	repo, err := gitrepo.Open(w.Context(), w.dir, gitrepo.Options{})
	if err != nil {
		w.Fatal(err)
	}
	head, err := repo.Resolve("main")
	if err != nil {
		w.Fatal(err)
	}
	tree, err := repo.Package(head, w.options.Package)
	if err != nil {
		w.Fatal(err)
	}
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		w.Fatal(err)
	}
	for source, obj := range w.reports {
		n, err := krm.NodeOf(obj)
		if err != nil {
			w.Fatal(err)
		}
		o := krm.FromNode(n)
		o.SetPath("reports/"+source.Namespace+source.Name+".yaml", 0)
		items = append(items, o)
	}
	made := combine.Function.Apply(w.Context(), &fn.Input{Items: items})
	if made.Failed() {
		w.Fatal(fn.FormatResult(made.Results[0]))
	}
	var generated []*krm.Object
	for _, o := range made.Items {
		if o.Annotation(fn.GeneratedBy) == combine.Name {
			generated = append(generated, o)
		}
	}
	written, err := render.Files(generated)
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]string{}
	for at, blob := range written.All() {
		out[path.Join(w.options.Package, at)] = string(blob.Data())
	}
	return out
}
