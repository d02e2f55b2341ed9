package packagevariant

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/client-go/util/workqueue"
	ctrlcontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/waybill-dev/waybill/controllers/repository"
)

// worked counts what a queue has worked, and sees to it that no namespace is worked twice at a time.
type worked struct {
	testing.TB
	mu     sync.Mutex
	busy   map[string]bool
	times  map[key]int
	passes int
	signal chan struct{}
}

func newWorked(t testing.TB) *worked {
	return &worked{TB: t, busy: map[string]bool{}, times: map[key]int{}, signal: make(chan struct{}, 10000)}
}

func (w *worked) begin(namespace string, keys []key) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy[namespace] {
		w.Errorf("namespace %s is worked twice at a time", namespace)
	}
	w.busy[namespace] = true
	w.passes++
	for _, k := range keys {
		if k.Namespace != namespace {
			w.Errorf("%s came with namespace %s", k, namespace)
		}
		w.times[k]++
	}
}

func (w *worked) end(namespace string, n int) {
	w.mu.Lock()
	w.busy[namespace] = false
	w.mu.Unlock()
	for range n {
		w.signal <- struct{}{}
	}
}

// run runs a controller of a queue until the test ends.
func run(t testing.TB, o Options, work func(context.Context, string, []key) []key) *batchQueue {
	o.Longest, o.Batch, o.Workers = 2*time.Second, cmp.Or(o.Batch, 1000), cmp.Or(o.Workers, 4)
	o.SlowAfter, o.FirstRetry, o.LastRetry = 10*time.Second, cmp.Or(o.FirstRetry, time.Second), 5*time.Minute
	q := newBatchQueue(o, work)
	options := q.controllerOptions()
	options.Reconciler, options.Logger = q, logr.Discard()
	c, err := ctrlcontroller.NewUnmanaged("test", options)
	started := make(chan struct{})
	if err == nil {
		err = c.Watch(source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			defer close(started)
			return q.Start(ctx, queue)
		}))
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- c.Start(ctx) }()
	<-started
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return q
}

func TestQueueWorksTogether(t *testing.T) {
	w := newWorked(t)
	q := run(t, Options{Quiet: 50 * time.Millisecond}, func(_ context.Context, namespace string, keys []key) []key {
		w.begin(namespace, keys)
		defer w.end(namespace, len(keys))
		return nil
	})
	for i := range 300 {
		q.enqueue(key{Namespace: fmt.Sprint("n", i%3), Name: fmt.Sprint(i)})
	}
	for range 300 {
		<-w.signal
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.passes != 3 {
		t.Errorf("what arrives together is worked together, a pass for each namespace; got %d passes", w.passes)
	}
}

func TestQueueWorksAgain(t *testing.T) {
	w := newWorked(t)
	again, failing, steady := key{Namespace: "n", Name: "again"}, key{Namespace: "n", Name: "failing"}, key{Namespace: "n", Name: "steady"}
	var q *batchQueue
	var once sync.Once
	ready := make(chan struct{})
	q = run(t, Options{Quiet: time.Millisecond, Options: repository.Options{FirstRetry: time.Millisecond}}, func(_ context.Context, namespace string, keys []key) (retry []key) {
		<-ready
		w.begin(namespace, keys)
		once.Do(func() { q.enqueue(again) }) // while it is in work
		for _, k := range keys {
			if k == failing && w.times[k] < 3 {
				retry = append(retry, k)
			}
		}
		w.end(namespace, len(keys))
		return retry
	})
	close(ready)
	for _, k := range []key{again, failing, steady} {
		q.enqueue(k)
	}
	for range 6 {
		<-w.signal
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if diff := gocmp.Diff(map[key]int{again: 2, failing: 3, steady: 1}, w.times); diff != "" {
		t.Errorf("a key that comes while it is in work is worked again, one that fails until it does not (-want +got):\n%s", diff)
	}
}

// TestQueueIsFair has one namespace hang: the others are worked.
func TestQueueIsFair(t *testing.T) {
	w := newWorked(t)
	q := run(t, Options{Quiet: time.Millisecond, Options: repository.Options{Workers: 2}}, func(ctx context.Context, namespace string, keys []key) []key {
		w.begin(namespace, keys)
		defer w.end(namespace, len(keys))
		if namespace == "hangs" {
			<-ctx.Done()
		}
		return nil
	})
	q.enqueue(key{Namespace: "hangs", Name: "a"})
	for i := range 10 {
		q.enqueue(key{Namespace: fmt.Sprint("n", i), Name: "a"})
	}
	for range 10 {
		<-w.signal
	}
}

func TestQueueBatches(t *testing.T) {
	w := newWorked(t)
	most := 0
	q := run(t, Options{Quiet: 10 * time.Millisecond, Batch: 10, Options: repository.Options{Workers: 1}}, func(_ context.Context, namespace string, keys []key) []key {
		w.begin(namespace, keys)
		most = max(most, len(keys))
		w.end(namespace, len(keys))
		return nil
	})
	for i := range 95 {
		q.enqueue(key{Namespace: "n", Name: fmt.Sprint(i)})
	}
	for range 95 {
		<-w.signal
	}
	if most != 10 {
		t.Errorf("a pass has up to 10 variants, got %d", most)
	}
}

// TestQueueRetriesOnce has a variant fail by its retry and by events: it has one retry at a time, and none after a success.
func TestQueueRetriesOnce(t *testing.T) {
	q := newBatchQueue(Options{Options: repository.Options{Workers: 1, FirstRetry: time.Hour}, LastRetry: time.Hour}, nil)
	k := key{Namespace: "n", Name: "failing"}
	for range 3 {
		q.finish([]key{k}, []key{k})
	}
	if len(q.retries) != 1 {
		t.Errorf("want one retry, got %d", len(q.retries))
	}
	if q.finish([]key{k}, nil); len(q.retries) != 0 || q.backoff.NumRequeues(k) != 0 {
		t.Errorf("a success ends retries and backoff, got %d and %d", len(q.retries), q.backoff.NumRequeues(k))
	}
}
