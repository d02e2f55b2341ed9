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

// place is an API server that objects are written to, as an administrator.
type place struct {
	testing.TB
	*clustertest.Cluster
	client.Client
	namespace string // NAMESPACE
}

// world is a destination, home, and a workspace of a source, shop, without anything of earlier tests.
type world struct {
	testing.TB
	home, shop *place
	workspace  string
	log        *clustertest.Log
}

// lasting is a test whose clean-up is the end of the process: what it starts serves all tests.
type lasting struct{ testing.TB }

func (lasting) Cleanup(func()) {}

var (
	otherServer *clustertest.Cluster
	furnish     sync.Once
	worlds      atomic.Int64
)

// newWorld takes everything away that the test before left. Tests do not run in parallel: a controller looks at all
// namespaces.
func newWorld(t testing.TB) *world {
	t.Helper()
	c := clustertest.Shared(t)
	furnish.Do(func() {
		otherServer = clustertest.Start(lasting{t})
		c.InstallCRDs(t, "../../testdata/crds/publishedresource/home")
		c.InstallCRDs(t, "../manifests/crds")
		otherServer.InstallCRDs(t, "../../testdata/crds/publishedresource/shop")
	})
	w := &world{TB: t, log: &clustertest.Log{}, workspace: fmt.Sprintf("ws-%d", worlds.Add(1))}
	w.home = newPlace(t, c, w.workspace)
	w.shop = newPlace(t, otherServer, otherServer.Namespace(t))
	for _, of := range [][2]string{{own, "PublishedResource"}, {local, "ShopOrder"}, {localGroup + "/v1", "Plain"}} {
		w.home.clear(of[0], of[1])
	}
	for _, of := range [][2]string{{remote, "Order"}, {localGroup + "/v1", "Plain"}} {
		w.shop.clear(of[0], of[1])
	}
	w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: " + state + "}}")
	w.home.clearIn("v1", "Secret", state)
	return w
}

func newPlace(t testing.TB, c *clustertest.Cluster, namespace string) *place {
	t.Helper()
	by, err := client.New(c.Admin(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &place{TB: t, Cluster: c, Client: by, namespace: namespace}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) options() publishedresource.Options {
	return publishedresource.Options{
		Workspaces:  []publishedresource.Workspace{{Name: w.workspace, Config: w.shop.Admin()}},
		MinInterval: time.Millisecond, FirstRetry: 20 * time.Millisecond, LastRetry: 200 * time.Millisecond, Interval: time.Hour,
		Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil)),
	}
}

// start runs a controller until the test ends, or until the returned function is called.
func (w *world) start(tune ...func(*publishedresource.Options)) (stop func()) {
	w.Helper()
	o := w.options()
	for _, f := range tune {
		f(&o)
	}
	return w.launch(w.home.Admin(), o)
}

func (w *world) launch(cfg *rest.Config, o publishedresource.Options) (stop func()) {
	w.Helper()
	return clustertest.RunManager(w, cfg, w.log, func(mgr manager.Manager) error { return publishedresource.Add(mgr, o) })
}

// eventually waits until there is nothing to say against something.
func (w *world) eventually(reason string, against func() string) {
	w.Helper()
	got := against()
	pause := 2 * time.Millisecond
	for deadline := time.Now().Add(30 * time.Second); got != "" && time.Now().Before(deadline); got = against() {
		time.Sleep(pause)
		pause = min(2*pause, 100*time.Millisecond)
	}
	if got != "" {
		w.Fatalf("%s: %s\nlog:\n%s", reason, got, w.log)
	}
}
