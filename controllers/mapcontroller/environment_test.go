package mapcontroller_test

import (
	"context"
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
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

const (
	system = "waybill-system"
	group  = "map.example.org"
)

// environment is an API server without MapControllers, and an empty namespace.
type environment struct {
	testing.TB
	*clustertest.Cluster
	client.Client
	namespace string
	log       *clustertest.Log
}

// newEnvironment deletes everything that the previous test left. Tests do not run in parallel: MapControllers read all
// namespaces.
func newEnvironment(t testing.TB) *environment {
	t.Helper()
	c := clustertest.Shared(t)
	installTypes.Do(func() { install(t, c) })
	scheme := runtime.NewScheme()
	err := errors.Join(corev1.AddToScheme(scheme), eventsv1.AddToScheme(scheme), rbacv1.AddToScheme(scheme), waybill.AddToScheme(scheme))
	if err != nil {
		t.Fatal(err)
	}
	w := &environment{TB: t, Cluster: c, log: &clustertest.Log{}}
	if w.Client, err = client.New(c.Admin(), client.Options{Scheme: scheme}); err != nil {
		t.Fatal(err)
	}
	w.grant("map-tests")
	for _, of := range [][2]string{{waybill.GroupVersion.String(), "MapController"}, {group + "/v1", "Policy"}, {group + "/v1", "Narrow"}, {group + "/v1", "Fleet"}, {group + "/v1", "Probe"}} {
		w.clear(of[0], of[1])
	}
	w.must(forEach(w.list("v1", "ConfigMap", ""), func(o *object) error {
		if o.GetLabels()["input"] == "" {
			return nil
		}
		return w.Delete(context.Background(), o)
	}))
	w.namespace = c.Namespace(t)
	return w
}

var installTypes sync.Once

// install installs the types of all tests, and the roles of the controller.
func install(t testing.TB, c *clustertest.Cluster) {
	t.Helper()
	c.InstallCRDs(t, "../../testdata/crds/mapcontroller")
	c.InstallCRDs(t, "../manifests/crds")
	for _, file := range []string{"namespace.yaml", "rbac.yaml", filepath.Join("mapcontroller", "rbac.yaml"), filepath.Join("..", "mapcontroller", "testdata", "role.yaml")} {
		data, err := os.ReadFile(filepath.Join("..", "manifests", file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Kubectl(t, c.Admin(), string(data), "apply", "-f", "-"); err != nil {
			t.Fatal(err)
		}
	}
}

func forEach(all []object, do func(*object) error) (err error) {
	for i := range all {
		err = errors.Join(err, do(&all[i]))
	}
	return err
}

// grant puts the rules of ClusterRoles into the bound role, as kube-controller-manager, which does not run, does by their
// label.
func (w *environment) grant(names ...string) {
	w.Helper()
	var rules []rbacv1.PolicyRule
	for _, name := range names {
		role := &rbacv1.ClusterRole{}
		w.must(w.Get(w.Context(), client.ObjectKey{Name: name}, role))
		rules = append(rules, role.Rules...)
	}
	types := &rbacv1.ClusterRole{}
	w.must(w.Get(w.Context(), client.ObjectKey{Name: "waybill-map-types"}, types))
	types.Rules = rules
	w.must(w.Update(w.Context(), types))
}

func (w *environment) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *environment) options() mapcontroller.Options {
	return mapcontroller.Options{
		MinInterval: 10 * time.Millisecond, FirstRetry: 20 * time.Millisecond, LastRetry: 300 * time.Millisecond, Settle: 20 * time.Millisecond, Parallel: 4,
		Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil)),
	}
}

// start runs a controller until the test ends, or until the returned function is called.
func (w *environment) start(tune ...func(*mapcontroller.Options)) (stop func()) {
	w.Helper()
	o := w.options()
	for _, f := range tune {
		f(&o)
	}
	return w.startAs(w.ServiceAccount(w, system, "waybill-controller"), o)
}

func (w *environment) startAs(cfg *rest.Config, o mapcontroller.Options) (stop func()) {
	w.Helper()
	return clustertest.RunManager(w, cfg, w.log, func(mgr manager.Manager) error { return mapcontroller.Add(mgr, o) })
}
