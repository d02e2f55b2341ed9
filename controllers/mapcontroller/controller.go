package mapcontroller

import (
	"context"
	"fmt"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// mapControllers is the resource of MapControllers.
var mapControllers = waybill.GroupVersion.WithResource("mapcontrollers")

// Add adds the controller to a manager. It runs while the manager leads.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	counts, err := newMetrics(ctrlmetrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	c := &controller{options: o.withDefaults(), metrics: counts, reader: m.GetAPIReader(), events: m.GetEventRecorder("waybill")}
	if c.server, err = live.Connect("", m.GetConfig(), live.WarningCounter{Counter: counts.warnings}); err != nil {
		return fmt.Errorf("connect to the API server: %w", err)
	}
	return m.Add(c)
}

// controller reconciles all MapControllers. Each start begins without any state.
type controller struct {
	options Options
	metrics *metrics
	reader  client.Reader // without a cache
	events  recorder.EventRecorder
	server  *live.Server

	// Set by each start.
	caches       *live.CacheSet
	statusOwners *statusOwners
	slots        hooks.Slots // limit the MapControllers that are reconciled at a time; those that wait for hooks do not count
}

// Start runs until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	var ended sync.WaitGroup
	defer ended.Wait()
	run := *c
	watch := live.WatchOptions{FirstRetry: c.options.FirstRetry, LastRetry: live.PollInterval(c.options.LastRetry), Log: c.options.Log}
	run.caches = &live.CacheSet{Namespaces: c.options.Namespaces, Watch: watch, Count: c.metrics.types}
	run.caches.Start(ctx, &ended)
	run.statusOwners, run.slots = newStatusOwners(), make(hooks.Slots, c.options.Workers)
	workers := &live.Workers{Log: c.options.Log, Run: run.work}
	workers.Start(ctx, &ended)
	live.NewWatcher(c.server, mapControllers, workers, watch).Run(ctx)
	return nil
}
