package reconciler

import (
	"context"
	"runtime"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/shard"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Reconciler reconciles PackageVariants.
type Reconciler struct {
	Repositories snapshot.Repositories
	Functions    runner.Factory
	// Context lists the objects of a namespace that may be injected. Its Lister serves many
	// goroutines at once; nil lists none.
	Context func(ctx context.Context, namespace string) injection.Lister
	// Variants lists all PackageVariants of a namespace. If it is nil, those that are reconciled together are known, and there
	// may be others.
	Variants func(ctx context.Context, namespace string) ([]*porchconfig.PackageVariant, error)
	// Unexpanded names the PackageVariantSets of a namespace whose variants are not known now; nil names none.
	Unexpanded func(namespace string) []string
	// Unreadable says why a variant cannot be read: it fails, and keeps what it has.
	Unreadable map[types.NamespacedName]error
	// Budgets lists the change budgets of a namespace; nil lists none.
	Budgets Budgets
	// Shard has the variants that this process reconciles, of those that Variants lists. Budgets that apply to variants of several
	// shards refuse every change.
	Shard shard.Shard
	// DeleteEditedDrafts lets deletion policies delete drafts that hold commits by others. Otherwise such a draft is
	// kept, and its variant waits.
	DeleteEditedDrafts bool
	// OwnerReferences says that the stores are OwnerKeepers: what a deleted variant orphans is read, too.
	OwnerReferences bool
	// DryRun does everything in the views of the repositories and pushes nothing. The Repositories
	// serve no other Reconciler then.
	DryRun bool
}

// ReconcileAll reconciles variants together: what up to 500 of them want is prepared side
// by side; then new drafts of one repository are pushed together. Where that fails each
// is pushed alone, so that no variant fails because of another. Where a budget counts them together, nothing more is pushed
// before all are prepared. The reports are in the order of the variants.
// started, which may be nil, is called with the index of each variant that is begun, one at a time.
func (r *Reconciler) ReconcileAll(ctx context.Context, pvs []*porchconfig.PackageVariant, started func(i int)) []Report {
	_, reports := r.run(ctx, pvs, started)
	return reports
}

func (r *Reconciler) run(ctx context.Context, pvs []*porchconfig.PackageVariant, started func(i int)) (*batch, []Report) {
	b := &batch{Reconciler: r, pvs: pvs, tasks: make([]*task, len(pvs)), opened: map[types.NamespacedName]opened{}}
	reports := make([]Report, 0, len(pvs))
	for from, to := 0, 0; from < len(pvs); from = to {
		to = min(from+maxDrafts, len(pvs))
		if b.prepareAll(ctx, from, to, started); b.mustPrepareAll(ctx) {
			b.prepareAll(ctx, to, len(pvs), started)
			to = len(pvs)
		}
		reports = b.write(ctx, from, to, reports)
		if !b.DryRun {
			clear(b.tasks[from:to]) // with the content of their drafts
		}
	}
	return b, reports
}

// mustPrepareAll reports whether all variants are prepared before the next push: a dry run shows them together, budgets count them so.
// That budgets cannot be listed keeps everything from being pushed later.
func (b *batch) mustPrepareAll(ctx context.Context) bool {
	if b.DryRun || b.Budgets == nil {
		return b.DryRun
	}
	namespaces := map[string]bool{}
	for _, pv := range b.pvs {
		namespaces[pv.Namespace] = true
	}
	for namespace := range namespaces {
		if budgets, err := b.Budgets.Budgets(ctx, namespace); err != nil || len(budgets) > 0 {
			return true
		}
	}
	return false
}

// write writes what some variants of the batch want, and appends their reports.
func (b *batch) write(ctx context.Context, from, to int, reports []Report) []Report {
	b.enforceBudgets(ctx, b.tasks[from:to])
	b.pushAll(ctx, b.tasks[from:to])
	for _, t := range b.tasks[from:to] {
		reports = append(reports, t.report())
	}
	return reports
}

// prepareAll prepares variants, as many at a time as there are processors.
func (b *batch) prepareAll(ctx context.Context, from, to int, started func(i int)) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for i := from; i < to; i++ {
		if started != nil {
			started(i)
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			b.tasks[i] = b.prepare(ctx, i)
		})
	}
	running.Wait()
}
