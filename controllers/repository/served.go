package repository

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// outdatedCheck is how often repositories that a Porch serves are asked whether there is something to read.
const outdatedCheck = 2 * time.Second

// openOrFetchServed opens a repository that Porch serves for the first time or with another spec, and else reads what changed.
func (c *Cache) openOrFetchServed(ctx context.Context, e *entry, obj *porchconfig.Repository) (snapshot.Change, error) {
	with, err := digestOf(obj, access.Access{})
	if err != nil {
		return snapshot.Change{}, err
	}
	open, same := e.isOpen(with)
	if same {
		return e.fetch(ctx)
	}
	repo, store, err := porchstore.Open(ctx, obj, porchstore.Options{Client: c.options.Served, Objects: c.objects, Observed: true})
	if err != nil {
		return snapshot.Change{}, err
	}
	e.update(func() { e.repo, e.served, e.digest = repo, store, with })
	return snapshot.Change{All: open}, nil
}

// revisionWatch enqueues Repositories whose package revisions change in Porch.
type revisionWatch struct{ cache *Cache }

// Start implements source.Source.
func (w *revisionWatch) Start(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	namespaces := w.cache.options.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		go w.run(ctx, namespace, queue)
	}
	go w.tick(ctx, queue)
	return nil
}

// tick enqueues Repositories whose revisions are to be read again a while after a write.
func (w *revisionWatch) tick(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	ticker := time.NewTicker(outdatedCheck)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, at := range w.cache.outdated() {
			queue.Add(reconcile.Request{NamespacedName: at})
		}
	}
}

// outdated names the open repositories of which a Porch has something to read. After a failure it waits as long as polls do.
func (c *Cache) outdated() (repositories []key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, e := range c.entries {
		e.update(func() {
			waits := e.err != nil && time.Now().Before(e.retryAt)
			if e.served != nil && !waits && e.served.Outdated() {
				repositories = append(repositories, at)
			}
		})
	}
	return repositories
}

// run follows a namespace until ctx ends. API servers end each watch now and then.
func (w *revisionWatch) run(ctx context.Context, namespace string, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	for ctx.Err() == nil {
		if err := w.follow(ctx, namespace, queue); err != nil && ctx.Err() == nil {
			w.cache.options.Log.Info("package revisions are not watched", "namespace", namespace, "reason", apierror.Stable(err).Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(w.cache.options.FirstRetry):
		}
	}
}

// follow enqueues Repositories for what one watch shows. What changed before it began is read again.
func (w *revisionWatch) follow(ctx context.Context, namespace string, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	events, err := w.cache.options.Served.Watch(ctx, &porch.PackageRevisionList{}, client.InNamespace(namespace))
	if err != nil {
		return err
	}
	defer events.Stop()
	for _, at := range w.cache.expire(namespace) {
		queue.Add(reconcile.Request{NamespacedName: at})
	}
	for event := range events.ResultChan() {
		o, ok := event.Object.(*porch.PackageRevision)
		if !ok {
			return errors.Join(fmt.Errorf("the watch shows a %T", event.Object), apierrors.FromObject(event.Object))
		}
		at := key{Namespace: o.Namespace, Name: o.Spec.Repository}
		if w.cache.observe(at, o, event.Type == watch.Deleted) {
			queue.Add(reconcile.Request{NamespacedName: at})
		}
	}
	return nil
}

// observe reports whether an event is news about an open repository.
func (c *Cache) observe(at key, o *porch.PackageRevision, deleted bool) (news bool) {
	c.mu.Lock()
	e := c.entries[at]
	c.mu.Unlock()
	if e == nil {
		return false
	}
	e.update(func() { news = e.served != nil && e.served.Observe(o, deleted) })
	return news
}

// expire has the open repositories of a namespace, of all if it is "", read again.
func (c *Cache) expire(namespace string) (repositories []key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, e := range c.entries {
		if namespace == metav1.NamespaceAll || at.Namespace == namespace {
			e.update(func() {
				if e.served != nil {
					e.served.Expire()
					repositories = append(repositories, at)
				}
			})
		}
	}
	return repositories
}
