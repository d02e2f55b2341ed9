package syncing

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// herd has a worker for each PublishedResource of this agent. It listens to all of them.
type herd struct {
	*controller
	ctx   context.Context
	ended *sync.WaitGroup

	workers map[string]*keeping // of the follower's goroutine
}

// keeping is a worker, and how to end it.
type keeping struct {
	*worker
	stop context.CancelFunc
	done chan struct{}
}

// Put implements follow.Listener. One that is another's from now on is left as it is.
func (h *herd) Put(u *unstructured.Unstructured) {
	o, err := objectOf(u)
	if err != nil {
		h.options.Log.Error(err, "a PublishedResource cannot be read", "publishedresource", u.GetName())
		return
	}
	k := h.workers[o.Name()]
	switch {
	case o.String("spec", "agentName") != h.options.Agent:
		h.Drop("", o.Name())
	case k == nil:
		w := newWorker(h.controller, o.Name())
		w.object.Store(o)
		h.workers[o.Name()] = h.start(w)
	case uidOf(k.object.Load()) != uidOf(o):
		h.Drop("", o.Name())
		h.Put(u)
	default:
		k.become(o)
	}
}

// become tells a worker how its PublishedResource is now. It takes up a changed spec between two passes, so that
// no two of them are at work at once.
func (k *keeping) become(o *krm.Object) {
	before := k.object.Swap(o)
	if correspond.Generation(before) != correspond.Generation(o) || isDeleting(o) != isDeleting(before) {
		k.agenda.everything()
	}
}

func (h *herd) start(w *worker) *keeping {
	ctx, stop := context.WithCancel(h.ctx)
	k := &keeping{w, stop, make(chan struct{})}
	h.ended.Go(func() {
		defer close(k.done)
		w.run(ctx)
	})
	return k
}

// Drop implements follow.Listener. Another PublishedResource of the name starts from nothing, once this has ended.
func (h *herd) Drop(_, name string) {
	if k := h.workers[name]; k != nil {
		delete(h.workers, name)
		k.stop()
		<-k.done
	}
}

// Served implements follow.Listener.
func (h *herd) Served(string, string) {}

// Failed implements follow.Listener. The follower logs it.
func (h *herd) Failed(error) {}
