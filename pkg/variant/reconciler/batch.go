package reconciler

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
	"github.com/waybill-dev/waybill/pkg/variant/internal/once"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// batch is the PackageVariants that are reconciled together. What they observe is read once.
type batch struct {
	*Reconciler
	pvs       []*porchconfig.PackageVariant
	tasks     []*task // one for each of pvs; nil before it is prepared, and after it is done where nothing needs it any more
	snapshots once.Map[types.NamespacedName, *snapshot.Snapshot]
	claims    once.Map[string, *snapshot.Claims] // by namespace
	contexts  once.Map[string, injection.Lister] // by namespace
	drafts    draft.Cache
	queues    []*queue // in the order in which their repositories came up

	mu     sync.Mutex
	opened map[types.NamespacedName]opened
}

// opened is a repository, or why it cannot be opened.
type opened struct {
	repo *snapshot.Repository
	err  error
}

// open opens a repository of a namespace, the same for the whole batch; in a dry run nothing leaves
// this process.
func (b *batch) open(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := types.NamespacedName{Namespace: namespace, Name: name}
	o, known := b.opened[key]
	if !known {
		o.repo, o.err = b.Repositories.Repository(ctx, namespace, name)
		if o.err == nil && b.DryRun {
			o.repo.Store.Rehearse()
		}
		b.opened[key] = o
	}
	return o.repo, o.err
}

// snapshot lists the revisions of a repository, once in a batch.
func (b *batch) snapshot(ctx context.Context, namespace, name string) (*snapshot.Snapshot, error) {
	return b.snapshots.Get(types.NamespacedName{Namespace: namespace, Name: name}, func() (*snapshot.Snapshot, error) {
		repo, err := b.open(ctx, namespace, name)
		if err != nil {
			return nil, err
		}
		return snapshot.Read(repo)
	})
}

// forget makes the batch list a repository again, and what other variants want there.
func (b *batch) forget(namespace, name string) {
	b.snapshots.Delete(types.NamespacedName{Namespace: namespace, Name: name})
	b.claims.Delete(namespace)
}

// readClaims reads what the PackageVariants of a namespace want, once in a batch.
func (b *batch) readClaims(ctx context.Context, namespace string) (*snapshot.Claims, error) {
	return b.claims.Get(namespace, func() (*snapshot.Claims, error) {
		pvs, unexpanded := b.pvs, []string(nil)
		if b.Variants != nil {
			var err error
			if pvs, err = b.Variants(ctx, namespace); err != nil {
				return nil, err
			}
		}
		if b.Unexpanded != nil {
			unexpanded = b.Unexpanded(namespace)
		}
		return snapshot.NewClaims(namespace, pvs, b.Variants != nil, unexpanded, func(repository string) (*snapshot.Snapshot, error) {
			return b.snapshot(ctx, namespace, repository)
		}), nil
	})
}

// lister lists the context objects of a namespace, each kind once in a batch, and adds to kinds what it is asked for.
func (b *batch) lister(ctx context.Context, namespace string, kinds map[injection.Kind]bool) injection.Lister {
	list, _ := b.contexts.Get(namespace, func() (injection.Lister, error) {
		list := injection.FromObjects(nil, "")
		if b.Context != nil {
			list = b.Context(ctx, namespace)
		}
		var listed once.Map[injection.Kind, []*krm.Object]
		return func(apiVersion, kind string) ([]*krm.Object, error) {
			return listed.Get(injection.Kind{APIVersion: apiVersion, Kind: kind}, func() ([]*krm.Object, error) { return list(apiVersion, kind) })
		}, nil
	})
	return func(apiVersion, kind string) ([]*krm.Object, error) {
		kinds[injection.Kind{APIVersion: apiVersion, Kind: kind}] = true
		return list(apiVersion, kind)
	}
}
