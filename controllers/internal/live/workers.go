package live

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Worker reconciles one object of a kind, in a goroutine of its own.
type Worker struct {
	Name   string
	Queue  *Queue
	Object atomic.Pointer[krm.Object] // as it is now

	stop context.CancelFunc
	done chan struct{}
}

// Workers runs a Worker for each object of a kind. It is the handler of the kind's Watcher.
type Workers struct {
	Log logr.Logger
	// Accepts reports whether this controller reconciles an object; nil means all.
	Accepts func(*krm.Object) bool
	// Run reconciles an object until ctx ends.
	Run func(ctx context.Context, w *Worker)

	ctx   context.Context
	ended *sync.WaitGroup
	all   map[string]*Worker // used by the Watcher's goroutine alone
}

// Start runs workers until ctx ends; all have ended when the WaitGroup is done.
func (p *Workers) Start(ctx context.Context, ended *sync.WaitGroup) {
	p.ctx, p.ended, p.all = ctx, ended, map[string]*Worker{}
}

// Put implements WatchHandler. A worker takes a changed object between two reconciles, so that there are never two for one
// object. One that was deleted and created again gets another worker.
func (p *Workers) Put(u *unstructured.Unstructured) {
	o, err := FromUnstructured(u)
	if err != nil {
		p.Log.Error(err, "an object cannot be read", "kind", u.GetKind(), "name", u.GetName())
		return
	}
	w := p.all[o.Name()]
	if w != nil && (!p.accepts(o) || UID(w.Object.Load()) != UID(o)) {
		p.Delete("", o.Name())
		w = nil
	}
	switch {
	case w != nil:
		w.update(o)
	case p.accepts(o):
		p.start(o)
	}
}

func (p *Workers) accepts(o *krm.Object) bool { return p.Accepts == nil || p.Accepts(o) }

func (w *Worker) update(o *krm.Object) {
	before := w.Object.Swap(o)
	if applyset.Generation(before) != applyset.Generation(o) || IsDeleting(o) != IsDeleting(before) {
		w.Queue.AddAll()
	}
}

func (p *Workers) start(o *krm.Object) {
	ctx, stop := context.WithCancel(p.ctx)
	w := &Worker{Name: o.Name(), Queue: newQueue(), stop: stop, done: make(chan struct{})}
	w.Object.Store(o)
	p.all[w.Name] = w
	p.ended.Go(func() {
		defer close(w.done)
		p.Run(ctx, w)
	})
}

// Delete implements WatchHandler. It waits until the worker has ended, as another object of the name starts with nothing.
func (p *Workers) Delete(_, name string) {
	if w := p.all[name]; w != nil {
		delete(p.all, name)
		w.stop()
		<-w.done
	}
}

// Synced implements WatchHandler.
func (p *Workers) Synced(string, string) {}

// Failed implements WatchHandler. The Watcher logs it.
func (p *Workers) Failed(error) {}
