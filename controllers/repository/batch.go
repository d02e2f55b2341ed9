package repository

import (
	"context"
	"errors"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// ForBatch are the repositories for objects that are reconciled together.
func (c *Cache) ForBatch(objects []types.NamespacedName) snapshot.Repositories {
	o := refreshOptions{maxAge: c.options.Fresh, except: make(map[key]bool, len(objects))}
	for _, k := range objects {
		o.except[k] = true
	}
	return &batchRepositories{Cache: c, options: o}
}

// batchRepositories are the repositories for one batch.
type batchRepositories struct {
	*Cache
	options refreshOptions
	slow    atomic.Bool // a server was too slow: the batch waits less for others
}

var _ snapshot.Repositories = (*batchRepositories)(nil)

// Repository opens a repository by the name of its Repository object.
func (b *batchRepositories) Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	at := key{Namespace: namespace, Name: name}
	obj, err := access.Get(ctx, reader{b.objects}, at)
	if snapshot.IsNoRepository(err) {
		b.update(at, func(e *entry) { e.errorSeen = true })
	}
	if err != nil {
		return nil, err
	}
	o := b.options
	if b.slow.Load() {
		o.timeout = b.Cache.options.SlowAfter / 10
	}
	e, err := b.refresh(ctx, obj, o)
	if errors.Is(err, errSlow) {
		b.slow.Store(true)
		if open, _ := b.entry(at).isOpen(digest{}); !open {
			err = errOpening
		}
	}
	if err != nil {
		return nil, access.UpstreamOnly(obj, access.Error(at, err))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.repo, nil
}
