package combinedstatus

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// Add adds the controller to a manager, whose API server is the hub. It runs while the manager is the leader.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := registerMetrics(); err != nil {
		return err
	}
	c := &controller{options: o.withDefaults()}
	var err error
	if c.hub, err = connect("hub", m.GetConfig()); err != nil {
		return fmt.Errorf("connect to the hub: %w", err)
	}
	c.home = c.hub
	if o.Home != nil {
		if c.home, err = connect("home", o.Home); err != nil {
			return fmt.Errorf("connect to the API server that holds the collectors: %w", err)
		}
	}
	return m.Add(c)
}

// controller starts without state every time.
type controller struct {
	options   Options
	hub, home *server
}

// Start runs until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	watch := func(ctx context.Context, s *server, r schema.GroupVersionResource, h live.WatchHandler) {
		all.Go(func() { newWatcher(s, r, h, c.options).Run(ctx) })
	}
	s := newState(c.options)
	s.startWatch = func(r schema.GroupVersionResource, h live.WatchHandler) (stop func()) {
		ctx, stop := context.WithCancel(ctx)
		watch(ctx, c.home, r, h)
		return stop
	}
	for _, r := range []schema.GroupVersionResource{workStatuses, manifestWorks} {
		watch(ctx, c.hub, r, s.newHandler(r))
	}
	for _, r := range []schema.GroupVersionResource{collectors, bindings, policies, combinedStatuses} {
		watch(ctx, c.home, r, s.newHandler(r))
	}
	all.Go(func() { newOrphanSearch(c.home, s, c.options).run(ctx) })
	newReconciler(s, c.home, c.options).run(ctx)
	return nil
}

func newWatcher(s *server, r schema.GroupVersionResource, h live.WatchHandler, o Options) *live.Watcher {
	how := live.WatchOptions{FirstRetry: o.FirstRetry, LastRetry: o.LastRetry, Log: o.Log.WithValues("server", s.Name)}
	if r == combinedStatuses { // they may be large, and mostly change because the controller writes them
		how.Metadata = s.metadata
	}
	return live.NewWatcher(s.Server, r, h, how)
}

// server is a connection to one API server, with a client for metadata alone.
type server struct {
	*live.Server
	metadata metadata.Interface
}

// connect returns a connection that has sent no request yet.
func connect(name string, cfg *rest.Config) (*server, error) {
	to, err := live.Connect(name, cfg, nil)
	if err != nil {
		return nil, err
	}
	metadata, err := metadata.NewForConfigAndClient(to.Config, to.HTTPClient)
	return &server{to, metadata}, err
}
