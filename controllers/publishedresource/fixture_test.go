package publishedresource_test

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

const (
	localGroup, remoteGroup = "apps.provider.example", "shop.example.org"
	local, remote           = localGroup + "/v2", remoteGroup + "/v1"
	own                     = "waybill.dev/v1alpha1"
	state                   = "waybill-sync"
)

// cluster is an API server that a test writes to as an administrator.
type cluster struct {
	*clustertest.Cluster
	*clustertest.Objects
}

// fixture is a destination, home, and a workspace of a source, shop, without objects of earlier tests.
type fixture struct {
	testing.TB
	home, shop *cluster
	workspace  string
	log        *clustertest.Log
}

// processTB is a test whose clean-up is the end of the process: what it starts serves all tests.
type processTB struct{ testing.TB }

func (processTB) Cleanup(func()) {}

var (
	source   *clustertest.Cluster
	install  sync.Once
	fixtures atomic.Int64
)

// newFixture deletes everything that the test before left. Tests do not run in parallel: a controller reads all
// namespaces.
func newFixture(t testing.TB) *fixture {
	t.Helper()
	c := clustertest.Shared(t)
	install.Do(func() {
		source = clustertest.Start(processTB{t})
		c.InstallCRDs(t, "../../testdata/crds/publishedresource/home")
		c.InstallCRDs(t, "../manifests/crds")
		source.InstallCRDs(t, "../../testdata/crds/publishedresource/shop")
	})
	f := &fixture{TB: t, log: &clustertest.Log{}, workspace: fmt.Sprintf("ws-%d", fixtures.Add(1))}
	f.home = newCluster(t, c, f.workspace)
	f.shop = newCluster(t, source, source.Namespace(t))
	for _, of := range [][2]string{{own, "PublishedResource"}, {local, "ShopOrder"}, {localGroup + "/v1", "Plain"}} {
		f.home.Clear(of[0], of[1], "")
	}
	for _, of := range [][2]string{{remote, "Order"}, {localGroup + "/v1", "Plain"}} {
		f.shop.Clear(of[0], of[1], "")
	}
	f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: " + state + "}}")
	f.home.Clear("v1", "Secret", state)
	return f
}

func newCluster(t testing.TB, c *clustertest.Cluster, namespace string) *cluster {
	t.Helper()
	by, err := client.New(c.Admin(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{c, &clustertest.Objects{TB: t, Client: by, TestNamespace: namespace,
		ClusterScoped: []string{"PublishedResource", "Plain", "Namespace", "CustomResourceDefinition"}}}
}

func (f *fixture) Must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) options() publishedresource.Options {
	return publishedresource.Options{
		Workspaces:  []publishedresource.Workspace{{Name: f.workspace, Config: f.shop.Admin()}},
		MinInterval: time.Millisecond, FirstRetry: 20 * time.Millisecond, LastRetry: 200 * time.Millisecond, Interval: time.Hour,
		Log: logr.FromSlogHandler(slog.NewTextHandler(f.log, nil)),
	}
}

// start runs a controller until the test ends, or until the returned function is called.
func (f *fixture) start(tune ...func(*publishedresource.Options)) (stop func()) {
	f.Helper()
	o := f.options()
	for _, change := range tune {
		change(&o)
	}
	return f.run(f.home.Admin(), o)
}

func (f *fixture) run(cfg *rest.Config, o publishedresource.Options) (stop func()) {
	f.Helper()
	return clustertest.RunManager(f, cfg, f.log, func(mgr manager.Manager) error { return publishedresource.Add(mgr, o) })
}

// eventually waits until check finds no fault.
func (f *fixture) eventually(reason string, check func() (fault string)) {
	f.Helper()
	fault := check()
	pause := 2 * time.Millisecond
	for deadline := time.Now().Add(30 * time.Second); fault != "" && time.Now().Before(deadline); fault = check() {
		time.Sleep(pause)
		pause = min(2*pause, 100*time.Millisecond)
	}
	if fault != "" {
		f.Fatalf("%s: %s\nlog:\n%s", reason, fault, f.log)
	}
}
