package combinedstatus

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Add puts the controller into a manager, whose API server is the hub. It works while the manager leads.
func Add(m ctrlmanager.Manager, o Options) error {
	o = o.withDefaults()
	counts, err := newMeters(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	c := &controller{options: o, meters: counts}
	if c.hub, err = connectBy("hub", m.GetConfig(), m.GetHTTPClient()); err != nil {
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

// controller is one that starts from nothing whenever it is started.
type controller struct {
	options   Options
	meters    *meters
	hub, home *server
}

// Start works until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	w := newWorld(c.options, c.meters)
	follow := func(s *server, resource schema.GroupVersionResource, tell listener) {
		all.Go(func() { newFollower(s, resource, tell, c.options).Run(ctx) })
	}
	w.follow = func(r engine.Resource, tell listener) (stop func()) {
		ctx, stop := context.WithCancel(ctx)
		all.Go(func() { newFollower(c.home, gvr(r), tell, c.options).Run(ctx) })
		return stop
	}
	follow(c.hub, workStatuses, w.reporting(workStatuses, reports.WorkStatus))
	follow(c.hub, manifestWorks, w.reporting(manifestWorks, reports.ManifestWork))
	follow(c.home, collectors, w.collecting())
	follow(c.home, bindings, w.binding())
	follow(c.home, policies, w.policing())
	follow(c.home, combinedStatuses, w.combining())
	all.Go(func() { newSearch(c.home, w, c.options).run(ctx) })
	newPasses(w, &writer{c.home.objects, c.options.Now}, c.options).run(ctx)
	return nil
}
