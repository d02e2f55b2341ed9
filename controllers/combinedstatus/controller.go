package combinedstatus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Add adds the controller to a manager, whose API server is the hub. It runs while the manager is the leader.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := registerMetrics(); err != nil {
		return err
	}
	c := &controller{options: o.withDefaults()}
	var err error
	if c.hub, err = connect("hub", m.GetConfig(), m.GetHTTPClient()); err != nil {
		return fmt.Errorf("connect to the hub: %w", err)
	}
	c.home = c.hub
	if o.Home != nil {
		if c.home, err = connectTo("home", o.Home); err != nil {
			return fmt.Errorf("connect to the API server that holds the collectors: %w", err)
		}
	}
	return m.Add(c)
}

// controller builds its state anew on every start.
type controller struct {
	options   Options
	hub, home *server
}

// Start runs until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	watch := func(ctx context.Context, s *server, resource schema.GroupVersionResource, h eventHandler) {
		all.Go(func() { newFollower(s, resource, h, c.options).Run(ctx) })
	}
	s := newState(c.options)
	s.startWatch = func(r schema.GroupVersionResource, h eventHandler) (stop func()) {
		ctx, stop := context.WithCancel(ctx)
		watch(ctx, c.home, r, h)
		return stop
	}
	watch(ctx, c.hub, workStatuses, s.reportHandler(workStatuses, reports.WorkStatus))
	watch(ctx, c.hub, manifestWorks, s.reportHandler(manifestWorks, reports.ManifestWork))
	watch(ctx, c.home, collectors, s.collectorHandler())
	watch(ctx, c.home, bindings, s.bindingHandler())
	watch(ctx, c.home, policies, s.policyHandler())
	watch(ctx, c.home, combinedStatuses, s.combinedStatusHandler())
	all.Go(func() { newSearch(c.home, s, c.options).run(ctx) })
	newReconciler(s, &writer{c.home.objects, c.options.Now}, c.options).run(ctx)
	return nil
}

// server has the clients of one API server.
type server struct {
	name      string
	objects   dynamic.Interface
	mapper    meta.RESTMapper
	discovery discovery.DiscoveryInterface
	metadata  metadata.Interface
}

// connectTo makes clients with an HTTP client of their own. It sends no request yet.
func connectTo(name string, cfg *rest.Config) (*server, error) {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // no limit here: the API server's own fairness applies
		cfg.QPS = -1
	}
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, err
	}
	return connect(name, cfg, httpClient)
}

func connect(name string, cfg *rest.Config, httpClient *http.Client) (*server, error) {
	objects, err1 := dynamic.NewForConfigAndClient(cfg, httpClient)
	mapper, err2 := apiutil.NewDynamicRESTMapper(cfg, httpClient)
	types, err3 := discovery.NewDiscoveryClientForConfigAndClient(cfg, httpClient)
	heads, err4 := metadata.NewForConfigAndClient(cfg, httpClient)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	return &server{name, objects, mapper, types, heads}, nil
}

// ready reports whether the API server is ready. While it starts it does not serve all its kinds yet.
func (s *server) ready(ctx context.Context) error {
	if err := s.discovery.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error(); err != nil {
		return errors.New("the API server is not ready")
	}
	return nil
}
