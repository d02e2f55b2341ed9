package mapping

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/correspond"
)

// herd has a worker for each MapController there is. It listens to these.
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

// Put implements follow.Listener.
func (h *herd) Put(u *unstructured.Unstructured) {
	o, err := objectOf(u)
	if err != nil {
		h.options.Log.Error(err, "a MapController cannot be read", "mapcontroller", u.GetName())
		return
	}
	k := h.workers[o.Name()]
	if k == nil {
		w := newWorker(h.controller, o.Name())
		w.object.Store(o)
		h.workers[o.Name()] = h.start(w)
		return
	}
	before := k.object.Swap(o)
	if correspond.Generation(before) != correspond.Generation(o) || isDeleting(o) {
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

// Drop implements follow.Listener. Another MapController of the name starts from nothing.
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
