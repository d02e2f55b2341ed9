package translation_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

const (
	system      = "waybill-system"
	credentials = "waybill-backend"
)

// testCluster is an API server without Translations and a backend that holds nothing.
type testCluster struct {
	testing.TB
	*clustertest.Cluster
	client.Client
	backend   *backendtest.Server
	namespace string
	log       *clustertest.Log
	waiting   func() // called while a writer waits for a Translation to go away
}

// newTestCluster takes everything away that the test before left. Tests do not run in parallel: Translations of
// all namespaces are pushed.
func newTestCluster(t testing.TB) *testCluster {
	t.Helper()
	c := clustertest.Shared(t)
	c.InstallCRDs(t, "../manifests/crds")
	scheme := runtime.NewScheme()
	err := errors.Join(corev1.AddToScheme(scheme), eventsv1.AddToScheme(scheme), midonet.AddToScheme(scheme), waybill.AddToScheme(scheme))
	if err != nil {
		t.Fatal(err)
	}
	w := &testCluster{TB: t, Cluster: c, backend: backendtest.New(t), log: &clustertest.Log{}, waiting: func() {}}
	if w.Client, err = client.New(c.Admin(), client.Options{Scheme: scheme}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"namespace.yaml", "rbac.yaml", filepath.Join("translation", "rbac.yaml")} {
		data, err := os.ReadFile(filepath.Join("..", "manifests", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Kubectl(t, c.Admin(), string(data), "apply", "-f", "-"); err != nil {
			t.Fatal(err)
		}
	}
	for _, tr := range w.all() {
		w.strip(&tr)
		w.remove(&tr)
	}
	w.must(w.DeleteAllOf(t.Context(), &waybill.BackendInventory{}, client.InNamespace(system)))
	w.namespace = c.Namespace(t)
	w.password(backendtest.Password)
	return w
}

func (w *testCluster) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// password writes the Secret with the credentials.
func (w *testCluster) password(password string) {
	w.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: system, Name: credentials}}
	_ = w.Delete(w.Context(), s) // there may be none
	s = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: system, Name: credentials}}
	s.StringData = map[string]string{"username": backendtest.User, "password": password, "project": backendtest.Project}
	w.must(w.Create(w.Context(), s))
}

var readMidonet = sync.OnceValues(func() (*table.Table, error) {
	table, _, err := table.Builtin("midonet")
	return table, err
})

func (w *testCluster) options() translation.Options {
	w.Helper()
	table, err := readMidonet()
	w.must(err)
	return translation.Options{
		Table: table, URL: w.backend.URL + "/api", Credentials: types.NamespacedName{Namespace: system, Name: credentials},
		Inventory: types.NamespacedName{Namespace: system}, Timeout: 10 * time.Second, Rate: 1000,
		Interval: 10 * time.Millisecond, FirstRetry: 20 * time.Millisecond, LastRetry: 300 * time.Millisecond,
		Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil)),
	}
}

// start runs a controller until the test ends, or until the returned function is called.
func (w *testCluster) start(tune ...func(*translation.Options)) (stop func()) {
	w.Helper()
	o := w.options()
	for _, f := range tune {
		f(&o)
	}
	return w.launch(w.ServiceAccount(w, system, "waybill-controller"), o)
}

func (w *testCluster) launch(cfg *rest.Config, o translation.Options) (stop func()) {
	w.Helper()
	return clustertest.RunManager(w, cfg, w.log, func(mgr manager.Manager) error { return translation.Add(mgr, o) })
}
