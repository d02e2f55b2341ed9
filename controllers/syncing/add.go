package syncing

import (
	"context"
	"fmt"
	"sync"

	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// publishedResources is the resource that says what to do.
var publishedResources = waybill.GroupVersion.WithResource("publishedresources")

// manager is the name under which fields are written and events are told.
const manager = "waybill"

// Add puts the controller into a manager, whose cluster is the destination. It works while the manager leads.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	counts, err := newMeters(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	c := &controller{options: o.withDefaults(), meters: counts}
	if c.home, err = connect("", "", m.GetConfig(), counts); err != nil {
		return fmt.Errorf("connect to the API server: %w", err)
	}
	for _, w := range o.Workspaces {
		s, err := connect(w.Name, w.path(), w.Config, counts)
		if err != nil {
			return fmt.Errorf("connect to the workspace %q: %w", w.Name, err)
		}
		c.workspaces = append(c.workspaces, s)
	}
	return m.Add(c)
}

// controller is one that starts from nothing whenever it is started.
type controller struct {
	options    Options
	meters     *meters
	home       *server
	workspaces []*server // by name, or in the order of the options

	kept *shelves // of one start
}

// Start works until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	run := *c
	run.workspaces = nil
	for _, s := range c.workspaces {
		run.workspaces = append(run.workspaces, s.started(ctx))
	}
	run.kept = &shelves{options: c.options, meters: c.meters, ctx: ctx, ended: &all, all: map[shelfKey]*shelf{}}
	h := &herd{controller: &run, ctx: ctx, ended: &all, workers: map[string]*keeping{}}
	follow.New(c.home.Server, publishedResources, h, follow.Options{FirstRetry: c.options.FirstRetry, LastRetry: c.options.look(),
		Log: c.options.Log}).Run(ctx)
	return nil
}

// workspace is the server of a cluster of the source, "" for the destination; nil when there is none.
func (c *controller) server(name string) *server {
	if name == "" {
		return c.home
	}
	for _, s := range c.workspaces {
		if s.name == name {
			return s
		}
	}
	return nil
}
