package cluster

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
)

// key names an object of a namespace.
type key = types.NamespacedName

// queue gathers the variants that are to be worked, and has those of a namespace worked together,
// one pass at a time. A namespace that takes long holds up no other: see slots.
type queue struct {
	keys           workqueue.TypedRateLimitingInterface[key]
	quiet, longest time.Duration
	batch          int
	// work works variants of one namespace and returns those that are to be tried again.
	work  func(ctx context.Context, namespace string, keys []key) (again []key)
	slots *slots // of namespaces that are worked at a time

	mu      sync.Mutex
	waiting map[string][]key // a namespace is here as long as somebody works it
	passes  sync.WaitGroup
}

func newQueue(o Options, work func(context.Context, string, []key) []key) *queue {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[key](o.FirstRetry, o.LastRetry)
	return &queue{
		keys:  workqueue.NewTypedRateLimitingQueueWithConfig(limiter, workqueue.TypedRateLimitingQueueConfig[key]{Name: "packagevariant"}),
		quiet: o.Quiet, longest: o.Longest, batch: o.Batch, work: work,
		slots: newSlots(o.Workers, o.SlowAfter), waiting: map[string][]key{},
	}
}

// run works until ctx ends, and comes back when the last pass has ended.
func (q *queue) run(ctx context.Context) {
	stop := context.AfterFunc(ctx, q.keys.ShutDown)
	defer stop()
	defer q.passes.Wait()
	for {
		keys, open := q.gather(ctx)
		for namespace, some := range byNamespace(keys) {
			q.hand(ctx, namespace, some)
		}
		if !open {
			return
		}
	}
}

// gather takes the first key that comes, and those that come close behind it.
func (q *queue) gather(ctx context.Context) (keys []key, open bool) {
	first, closed := q.keys.Get()
	if closed {
		return nil, false
	}
	keys = append(keys, first)
	q.settle(ctx)
	for len(keys) < q.batch && q.keys.Len() > 0 { // nobody else takes keys: Get does not wait
		next, closed := q.keys.Get()
		if closed {
			return keys, false
		}
		keys = append(keys, next)
	}
	return keys, true
}

// settle waits until nothing new has arrived for a while: objects come one by one.
func (q *queue) settle(ctx context.Context) {
	const looks = 4 // how often in the quiet time
	ticks := time.NewTicker(max(q.quiet/looks, time.Millisecond))
	defer ticks.Stop()
	late := time.NewTimer(q.longest)
	defer late.Stop()
	for seen, calm := q.keys.Len(), 0; calm < looks && seen < q.batch-1; calm++ {
		select {
		case <-ticks.C:
		case <-late.C:
			return
		case <-ctx.Done():
			return
		}
		if n := q.keys.Len(); n != seen {
			seen, calm = n, -1
		}
	}
}

// hand gives keys to whoever works their namespace, or has it worked.
func (q *queue) hand(ctx context.Context, namespace string, keys []key) {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, worked := q.waiting[namespace]
	q.waiting[namespace] = append(q.waiting[namespace], keys...)
	if !worked {
		q.passes.Go(func() { q.workAll(ctx, namespace) })
	}
}

// workAll works a namespace until nothing waits there.
func (q *queue) workAll(ctx context.Context, namespace string) {
	for {
		leave := q.slots.take(ctx)
		keys := q.take(namespace)
		if len(keys) > 0 && ctx.Err() == nil {
			q.finish(keys, q.work(ctx, namespace, keys))
		}
		leave()
		if len(keys) == 0 {
			return
		}
	}
}

// take takes up to a batch of what waits in a namespace. Where nothing does, nobody works it any more.
func (q *queue) take(namespace string) []key {
	q.mu.Lock()
	defer q.mu.Unlock()
	keys := q.waiting[namespace]
	if len(keys) == 0 {
		delete(q.waiting, namespace)
		return nil
	}
	n := min(len(keys), q.batch)
	q.waiting[namespace] = keys[n:]
	return keys[:n]
}

// finish is said once for each key that was worked. A key that came again meanwhile is worked again.
// What is to be tried again may have been worked without being asked for.
func (q *queue) finish(keys, again []key) {
	retry := make(map[key]bool, len(again))
	for _, k := range again {
		retry[k] = true
		q.keys.AddRateLimited(k)
	}
	for _, k := range keys {
		if !retry[k] {
			q.keys.Forget(k)
		}
		q.keys.Done(k)
	}
}

func byNamespace(keys []key) map[string][]key {
	out := map[string][]key{}
	for _, k := range keys {
		out[k.Namespace] = append(out[k.Namespace], k)
	}
	return out
}
