package translation

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Add adds the controller to a manager, whose API server has the Translations. It runs while the manager is the leader.
func Add(m ctrlmanager.Manager, o Options) error {
	if err := cmp.Or(o.Check(), registerMetrics()); err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), midonet.AddToScheme(scheme), waybill.AddToScheme(scheme)); err != nil {
		return err
	}
	cfg := rest.CopyConfig(m.GetConfig())
	if cfg.QPS == 0 { // no limit here: the API server's own fairness applies
		cfg.QPS = -1
	}
	direct, err := client.New(cfg, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	return m.Add(&controller{options: o.withDefaults(), config: cfg, scheme: scheme, client: direct,
		recorder: m.GetEventRecorder("waybill")})
}

// controller starts with the inventory alone, every time.
type controller struct {
	options  Options
	config   *rest.Config
	scheme   *runtime.Scheme
	client   client.Client // without a cache
	recorder recorder.EventRecorder
}

// Start runs until ctx ends.
func (c *controller) Start(ctx context.Context) error {
	objects, err := c.newCache()
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() {
		if err := objects.Start(ctx); err != nil {
			c.options.Log.Error(err, "the objects of the cluster are no longer watched")
		}
	})
	queue := workqueue.NewTypedDelayingQueue[struct{}]()
	defer queue.ShutDown()
	if c.watch(ctx, objects, func() { queue.Add(struct{}{}) }) {
		context.AfterFunc(ctx, queue.ShutDown)
		c.run(ctx, newReconciler(c, objects), queue)
	}
	return nil
}

// newCache makes a cache of Translations and the Secret.
func (c *controller) newCache() (cache.Cache, error) {
	o := cache.Options{Scheme: c.scheme, DefaultTransform: cache.TransformStripManagedFields(), ByObject: map[client.Object]cache.ByObject{}}
	if len(c.options.Namespaces) > 0 {
		o.DefaultNamespaces = map[string]cache.Config{}
	}
	for _, namespace := range c.options.Namespaces {
		o.DefaultNamespaces[namespace] = cache.Config{}
	}
	if secret := c.options.Credentials; secret.Name != "" {
		o.ByObject[&corev1.Secret{}] = cache.ByObject{
			Namespaces: map[string]cache.Config{secret.Namespace: {}}, Field: fields.OneTermEqualSelector("metadata.name", secret.Name),
		}
	}
	return cache.New(c.config, o)
}

// watch returns after the cache has synced; false when ctx ends first. It retries while a kind is not served.
func (c *controller) watch(ctx context.Context, objects cache.Cache, changed func()) bool {
	kinds := []client.Object{newTranslation()}
	if c.options.Credentials.Name != "" {
		kinds = append(kinds, &corev1.Secret{})
	}
	logged := ""
	for len(kinds) > 0 {
		informer, err := objects.GetInformer(ctx, kinds[0])
		if err == nil {
			_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
				AddFunc: func(any) { changed() }, UpdateFunc: func(_, _ any) { changed() }, DeleteFunc: func(any) { changed() },
			})
		}
		if err == nil {
			kinds, logged = kinds[1:], ""
			continue
		}
		if text := err.Error(); text != logged && ctx.Err() == nil {
			c.options.Log.Info("Translations or the Secret cannot be watched; the controller retries from time to time", "reason", text)
			logged = text
		}
		if !live.Sleep(ctx, live.PollInterval(c.options.LastRetry)) {
			return false
		}
	}
	return objects.WaitForCacheSync(ctx)
}

// run reconciles until ctx ends.
func (c *controller) run(ctx context.Context, r *reconciler, queue workqueue.TypedDelayingInterface[struct{}]) {
	var blockedUntil time.Time
	queue.Add(struct{}{})
	for {
		item, shutdown := queue.Get()
		if shutdown {
			return
		}
		queue.Done(item) // an event during the reconcile requests another one
		if pause := time.Until(blockedUntil); pause > 0 && !r.newCredentials(ctx) {
			queue.AddAfter(item, pause)
			continue
		}
		began := time.Now()
		requeue := r.reconcile(ctx)
		passSeconds.Observe(time.Since(began).Seconds())
		if !live.Sleep(ctx, c.options.Interval) {
			return
		}
		blockedUntil = time.Time{}
		if requeue.blocked {
			blockedUntil = time.Now().Add(requeue.after)
		}
		if requeue.after >= 0 {
			queue.AddAfter(item, requeue.after)
		}
	}
}

// newTranslation returns a Translation that can hold whatever an API server has stored.
func newTranslation() *unstructured.Unstructured {
	t := &unstructured.Unstructured{}
	t.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation))
	return t
}
