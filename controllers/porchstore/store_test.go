package porchstore_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/controllers/porchtest"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot/storetest"
)

// fixture is a real Porch with a repository.
type fixture struct {
	*porchtest.Porch
	client client.Client
	object *porchconfig.Repository
	dir    string // of the repository
}

// start starts a Porch, whose API server has these flags.
func start(t *testing.T, flags ...string) *fixture {
	t.Helper()
	f := &fixture{Porch: porchtest.Start(t, flags...), dir: gittest.NewBare(t)}
	gittest.Commit(t, f.dir, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "the fleet\n"})})
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{porch.AddToScheme, porchconfig.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if f.client, err = client.New(f.Admin(), client.Options{Scheme: scheme}); err != nil {
		t.Fatal(err)
	}
	f.object = &porchconfig.Repository{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: storetest.Repository},
		Spec: porchconfig.RepositorySpec{Type: porchconfig.RepositoryTypeGit,
			Git: &porchconfig.GitRepository{Repo: gittest.NewHTTP(t, f.dir), Branch: "main", Directory: storetest.Directory}},
	}
	if err := f.client.Create(t.Context(), f.object); err != nil {
		t.Fatal(err)
	}
	f.AwaitReady(t, "default", storetest.Repository)
	return f
}

func (f *fixture) open(t *testing.T) *porchstore.Store {
	t.Helper()
	_, s, err := porchstore.Open(t.Context(), f.object, porchstore.Options{Client: f.client, Objects: f.client})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// person changes the lifecycle of a revision.
func (f *fixture) person(from, lifecycle string) func(*testing.T, revision.Revision) {
	return func(t *testing.T, rev revision.Revision) {
		t.Helper()
		if err := f.SetLifecycle(t, f.Await(t, "default", rev.Name, from), lifecycle); err != nil {
			t.Fatalf("%s %s: %v", lifecycle, rev.Name, err)
		}
	}
}

// edit writes a file of a draft.
func (f *fixture) edit(t *testing.T, rev revision.Revision, file, text string) {
	t.Helper()
	f.Rewrite(t, f.Await(t, "default", rev.Name, "Draft"), file, func(string) string { return text })
}

// readSeldom has Porch lose nothing by reading repositories while they are written to. TestRestore is about that.
const readSeldom = "--repo-sync-frequency=1h"

// TestPorchStore: a real Porch does what a Store has to.
func TestPorchStore(t *testing.T) {
	f := start(t, readSeldom)
	storetest.Run(t, storetest.Env{
		Open:    func(t *testing.T) snapshot.Store { return f.open(t) },
		Propose: f.person("Draft", "Proposed"), Approve: f.person("Proposed", "Published"), Edit: f.edit,
	})
}
