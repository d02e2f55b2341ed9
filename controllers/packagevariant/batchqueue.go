package packagevariant

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// batchQueue gathers PackageVariants by namespace. A request to the controller names a namespace, so that the
// PackageVariants of a namespace are reconciled together, one batch at a time. A namespace that takes long holds up no
// other: see slots.
type batchQueue struct {
	quiet, longest time.Duration
	size           int
	slots          *slots
	backoff        workqueue.TypedRateLimiter[key]
	// reconcile reconciles PackageVariants of one namespace and returns those to try again, which may be others.
	reconcile func(ctx context.Context, namespace string, variants []key) (retry []key)

	mu      sync.Mutex
	queue   workqueue.TypedRateLimitingInterface[reconcile.Request] // of the controller; nil until it runs
	waiting map[string]*batch                                       // by namespace
	retries map[key]*time.Timer
}

// batch is what waits in a namespace.
type batch struct {
	variants    []key // in order of arrival, each once
	members     map[key]bool
	first, last time.Time // of the arrivals
}

func newBatchQueue(o Options, reconcile func(context.Context, string, []key) []key) *batchQueue {
	return &batchQueue{
		quiet: o.Quiet, longest: o.Longest, size: o.Batch, reconcile: reconcile, slots: newSlots(o.Workers, o.SlowAfter),
		backoff: workqueue.NewTypedItemExponentialFailureRateLimiter[key](o.FirstRetry, o.LastRetry),
		waiting: map[string]*batch{}, retries: map[key]*time.Timer{},
	}
}

// Start implements source.Source.
func (q *batchQueue) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = queue
	return nil
}

// enqueue adds PackageVariants to the batches of their namespaces, and has them reconciled by the running controller.
func (q *batchQueue) enqueue(variants ...key) {
	for _, k := range variants {
		q.queue.Add(q.add(k))
	}
}

// add adds a PackageVariant to the batch of its namespace, and returns the request to reconcile that.
func (q *batchQueue) add(k key) reconcile.Request {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.waiting[k.Namespace]
	if b == nil {
		b = &batch{members: map[key]bool{}, first: time.Now()}
		q.waiting[k.Namespace] = b
	}
	if !b.members[k] {
		b.members[k], b.last = true, time.Now()
		b.variants = append(b.variants, k)
	}
	return reconcile.Request{NamespacedName: key{Name: k.Namespace}}
}

// Reconcile reconciles a batch of a namespace.
func (q *batchQueue) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if wait := q.debounce(req.Name); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	release := q.slots.acquire(ctx)
	defer release()
	variants, more := q.take(req.Name)
	if len(variants) > 0 && ctx.Err() == nil {
		q.finish(variants, q.reconcile(ctx, req.Name, variants))
	}
	if more {
		return reconcile.Result{RequeueAfter: time.Nanosecond}, nil
	}
	return reconcile.Result{}, nil
}

// debounce is how long to wait for more PackageVariants: objects arrive one by one.
func (q *batchQueue) debounce(namespace string) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.waiting[namespace]
	if b == nil || len(b.variants) >= q.size {
		return 0
	}
	return min(q.quiet-time.Since(b.last), q.longest-time.Since(b.first))
}

// take takes a batch of what waits in a namespace, and reports whether there is more.
func (q *batchQueue) take(namespace string) (variants []key, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.waiting[namespace]
	if b == nil {
		return nil, false
	}
	n := min(len(b.variants), q.size)
	variants, b.variants = b.variants[:n], b.variants[n:]
	for _, k := range variants {
		delete(b.members, k)
	}
	if len(b.variants) == 0 {
		delete(q.waiting, namespace)
	}
	return variants, len(b.variants) > 0
}

// finish enqueues the PackageVariants to try again, each after its backoff, and ends the backoff of the others.
func (q *batchQueue) finish(variants, retry []key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	failed := make(map[key]bool, len(retry))
	for _, k := range retry {
		failed[k] = true
		q.stopRetry(k)
		q.retries[k] = time.AfterFunc(q.backoff.When(k), func() { q.enqueue(k) })
	}
	for _, k := range variants {
		if !failed[k] {
			q.backoff.Forget(k)
			q.stopRetry(k)
		}
	}
}

func (q *batchQueue) stopRetry(k key) {
	if t := q.retries[k]; t != nil {
		t.Stop()
		delete(q.retries, k)
	}
}
