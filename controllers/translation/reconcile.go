package translation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/controllers/translation/inventory"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/inventory/pagestore"
)

// reconciler makes the backend hold what the cluster requests. Maps have namespace/name of Translations as keys, unless they
// say otherwise.
type reconciler struct {
	options    Options
	client     client.Client // without a cache
	cache      client.Reader
	recorder   recorder.EventRecorder
	store      *pagestore.Store
	connection *connection // nil: not made yet

	permanent map[string]permanentFailure
	backoff   map[string]backoff
	reported  map[string]string // the last event about each
	finalized map[string]bool   // by uid: those whose finalizer was removed
	pause     live.Backoff      // after errors that are not about one Translation
	lastError string            // of a reconcile
}

func newReconciler(c *controller, cache client.Reader) *reconciler {
	return &reconciler{
		options: c.options, client: c.client, cache: cache, recorder: c.recorder,
		store:     inventory.New(c.client, c.options.Inventory, c.options.Table.Name()),
		pause:     live.Backoff{First: c.options.FirstRetry, Last: c.options.LastRetry},
		permanent: map[string]permanentFailure{}, backoff: map[string]backoff{}, reported: map[string]string{}, finalized: map[string]bool{},
	}
}

// requeue says when to reconcile again.
type requeue struct {
	after   time.Duration // negative: only after an event
	blocked bool          // until then only new credentials count, and no events
}

// reconcile does one round.
func (r *reconciler) reconcile(ctx context.Context) requeue {
	q, err := r.reconcileOnce(ctx)
	switch text := fmt.Sprint(err); {
	case err == nil:
		r.lastError = ""
	case ctx.Err() != nil:
	case text != r.lastError:
		r.options.Log.Info("the controller could not do everything, and retries", "reason", text)
		r.lastError = text
	}
	if errors.Is(err, errEmpty) {
		return requeue{after: -1}
	}
	if err != nil && q.after <= 0 {
		q.after = r.pause.Next()
	}
	q.blocked = q.blocked || err != nil
	return q
}

// reconcileOnce reads, plans, applies and reports.
func (r *reconciler) reconcileOnce(ctx context.Context) (q requeue, err error) {
	if err := r.connect(ctx); err != nil {
		return q, err
	}
	snapshot, err := r.observe(ctx)
	if err != nil {
		return q, err
	}
	before, err := r.store.Load(ctx)
	if err != nil {
		return q, err
	}
	orphans, err := r.findOrphans(ctx, snapshot, owners(before))
	if err != nil {
		return q, err
	}
	if len(snapshot) == 0 && slices.Contains(slices.Collect(maps.Values(orphans)), false) && !r.options.AllowEmpty {
		return q, errEmpty
	}
	w := &round{r: r, began: time.Now(), snapshot: snapshot, orphans: orphans, kept: map[string]bool{}, results: map[string]*result{}}
	if err := w.apply(ctx, before); err != nil {
		return w.requeue(), err
	}
	now, err := r.store.Load(ctx)
	if err != nil {
		return w.requeue(), err
	}
	recordCount.Set(float64(now.Len()))
	w.finalize(ctx, now)
	w.countTranslations()
	return w.requeue(), r.store.DeleteEmptyPages(ctx)
}

// owners are the Translations that have resources in an inventory, sorted.
func owners(i *backendinventory.Inventory) []string {
	keys := map[string]bool{}
	for _, r := range i.Records() {
		keys[r.Translation] = true
	}
	return slices.Sorted(maps.Keys(keys))
}
