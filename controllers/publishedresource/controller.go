package publishedresource

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/krm"
)

var publishedResources = waybill.GroupVersion.WithResource("publishedresources")

// Add adds the controller to a manager, whose cluster is the destination. It runs while the manager leads.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	counts, err := newMetrics(ctrlmetrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	c := &controller{options: o.withDefaults(), metrics: counts}
	if c.home, err = connect("", "", m.GetConfig(), counts); err != nil {
		return fmt.Errorf("connect to the API server: %w", err)
	}
	if c.workspaces, err = c.connectAll(o.Workspaces); err != nil {
		return err
	}
	return m.Add(c)
}

// controller is started once by its manager.
type controller struct {
	options Options
	metrics *metrics
	home    *server

	rejected []Workspace // changed ones that cannot be used; of awaitChange

	// Set by each run.
	workspaces []*server // in the order of the options
	caches     *live.CacheSet
}

// Start runs the controller until ctx ends, and starts it anew with each change of the workspaces.
func (c *controller) Start(ctx context.Context) error {
	for {
		running, stop := context.WithCancel(ctx)
		changed := make(chan []*server, 1)
		go func() {
			changed <- c.awaitChange(running)
			stop()
		}()
		c.run(running)
		if ctx.Err() != nil { // the file may be one whose reader waits
			stop()
			return nil
		}
		c.workspaces = <-changed
	}
}

// run runs the controller until ctx ends. It begins without any state.
func (c *controller) run(ctx context.Context) {
	var ended sync.WaitGroup
	defer ended.Wait()
	for _, s := range c.workspaces {
		s.startEvents(ctx)
	}
	watch := live.WatchOptions{FirstRetry: c.options.FirstRetry, LastRetry: live.PollInterval(c.options.LastRetry), Log: c.options.Log}
	c.caches = &live.CacheSet{Indexers: relevance.Indexes, Watch: watch, Count: c.metrics.types}
	c.caches.Start(ctx, &ended)
	isOurs := func(o *krm.Object) bool {
		return o.String("spec", "agentName") == c.options.Agent && c.options.Selector.Matches(labels.Set(o.Labels()))
	}
	workers := &live.Workers{Log: c.options.Log, Accepts: isOurs, Run: c.work}
	workers.Start(ctx, &ended)
	live.NewWatcher(c.home.Server, publishedResources, workers, watch).Run(ctx)
}

// server returns the server of a workspace, or the destination for an empty name; nil for none.
func (c *controller) server(name string) *server {
	if name == "" {
		return c.home
	}
	for _, s := range c.workspaces {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// server is one of the API servers: the destination, whose name is empty, or a workspace.
type server struct {
	*live.Server
	path     string
	core     typedcorev1.CoreV1Interface
	recorder record.EventRecorder // nil at the destination
}

// connect prepares a connection to an API server. It sends no request yet.
func connect(name, path string, cfg *rest.Config, m *metrics) (*server, error) {
	to, err := live.Connect(name, cfg, live.WarningCounter{Counter: m.warnings})
	if err != nil {
		return nil, err
	}
	core, err := typedcorev1.NewForConfigAndClient(to.Config, to.HTTPClient)
	return &server{Server: to, path: path, core: core}, err
}

// startEvents lets the server of a workspace record events until ctx ends.
func (s *server) startEvents(ctx context.Context) {
	b := record.NewBroadcaster(record.WithContext(ctx))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: s.core.Events("")})
	s.recorder = b.NewRecorder(runtime.NewScheme(), corev1.EventSource{Component: live.FieldManager})
}
