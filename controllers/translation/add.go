package translation

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/translation/inventory"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Add puts the controller into a manager, whose API server has the Translations. It works while the manager leads.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	o = o.withDefaults()
	counts, err := newMeters(metrics.Registry)
	if err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), midonet.AddToScheme(scheme), waybill.AddToScheme(scheme)); err != nil {
		return err
	}
	cfg := rest.CopyConfig(m.GetConfig())
	if cfg.QPS == 0 { // the API server shares itself out fairly
		cfg.QPS = -1
	}
	objects, err := client.New(cfg, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	return m.Add(&controller{options: o, config: cfg, scheme: scheme, objects: objects, meters: counts,
		tell: events{m.GetEventRecorder("waybill")}})
}

// controller is one that starts from nothing but the inventory whenever it is started.
type controller struct {
	options Options
	config  *rest.Config
	scheme  *runtime.Scheme
	objects client.Client // asks the API server each time
	meters  *meters
	tell    events
}

// Start works until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	known, err := c.newCache()
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() {
		if err := known.Start(ctx); err != nil {
			c.options.Log.Error(err, "the objects of the cluster are no longer followed")
		}
	})
	l := &loop{controller: c, known: known, wake: make(chan struct{}, 1), pass: c.newPasses(known)}
	l.run(ctx)
	return nil
}

func (c *controller) newPasses(known client.Reader) *passes {
	o := c.options
	return &passes{
		controller: c, known: known, store: inventory.New(c.objects, o.Inventory, o.Table.Name()),
		stuck: map[string]stuck{}, later: map[string]later{}, said: map[string]string{}, released: map[string]bool{},
	}
}

// newCache is a cache for this run alone: of Translations, and of one Secret.
func (c *controller) newCache() (cache.Cache, error) {
	o := cache.Options{Scheme: c.scheme, DefaultTransform: cache.TransformStripManagedFields(), ByObject: map[client.Object]cache.ByObject{}}
	for _, namespace := range c.options.Namespaces {
		if o.DefaultNamespaces == nil {
			o.DefaultNamespaces = map[string]cache.Config{}
		}
		o.DefaultNamespaces[namespace] = cache.Config{}
	}
	if at := c.options.Credentials; at.Name != "" {
		o.ByObject[&corev1.Secret{}] = cache.ByObject{
			Namespaces: map[string]cache.Config{at.Namespace: {}}, Field: fields.OneTermEqualSelector("metadata.name", at.Name),
		}
	}
	return cache.New(c.config, o)
}
