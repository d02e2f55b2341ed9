package mapping

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// mapControllers is the resource that says what to do.
var mapControllers = waybill.GroupVersion.WithResource("mapcontrollers")

// Add puts the controller into a manager. It works while the manager leads.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	counts, err := newMeters(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	c := &controller{options: o.withDefaults(), meters: counts, reader: m.GetAPIReader(), events: m.GetEventRecorder("waybill")}
	if err := c.connect(m.GetConfig()); err != nil {
		return fmt.Errorf("connect to the API server: %w", err)
	}
	return m.Add(c)
}

// controller is one that starts from nothing whenever it is started.
type controller struct {
	options   Options
	meters    *meters
	reader    client.Reader // asks the API server each time
	events    recorder.EventRecorder
	server    follow.Server
	discovery discovery.DiscoveryInterface

	// Of one start.
	kept    *shelves
	authors *authors
	slots   chan struct{} // as many as MapControllers are worked at a time, but for those that wait for hooks
}

// connect prepares to talk to an API server. It asks nothing yet.
func (c *controller) connect(cfg *rest.Config) error {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // the API server shares itself out fairly
		cfg.QPS = -1
	}
	cfg.WarningHandler, cfg.WarningHandlerWithContext = nil, c.meters
	by, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return err
	}
	objects, errObjects := dynamic.NewForConfigAndClient(cfg, by)
	mapper, errMapper := follow.NewMapper(cfg, by)
	asks, errAsks := discovery.NewDiscoveryClientForConfigAndClient(cfg, by)
	c.discovery = asks
	c.server = follow.Server{Objects: objects, Mapper: mapper, Ready: c.isReady}
	return errors.Join(errObjects, errMapper, errAsks)
}

// isReady reports whether the API server does all its work.
func (c *controller) isReady(ctx context.Context) error {
	if c.discovery.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil {
		return errors.New("the API server is not ready")
	}
	return nil
}

// Start works until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	run := *c
	run.kept = &shelves{server: c.server, options: c.options, meters: c.meters, ctx: ctx, ended: &all, all: map[kind]*shelf{}}
	run.authors, run.slots = newAuthors(), make(chan struct{}, c.options.Workers)
	h := &herd{controller: &run, ctx: ctx, ended: &all, workers: map[string]*keeping{}}
	follow.New(c.server, mapControllers, h, follow.Options{FirstRetry: c.options.FirstRetry, LastRetry: c.options.look(),
		Log: c.options.Log}).Run(ctx)
	return nil
}
