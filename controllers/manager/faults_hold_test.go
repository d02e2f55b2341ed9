package manager_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// gate holds a controller at a step of its conversation with the deployments, the first time.
type gate struct {
	step          gitrepo.Step
	reached, open chan struct{}
	once          sync.Once
	let           func()
}

func newGate(step gitrepo.Step) *gate {
	g := &gate{step: step, reached: make(chan struct{}), open: make(chan struct{})}
	g.let = sync.OnceFunc(func() { close(g.open) })
	return g
}

func (g *gate) onStep(_, name string, step gitrepo.Step) {
	if name == "deployments" && step == g.step {
		g.once.Do(func() {
			close(g.reached)
			<-g.open
		})
	}
}

// hold waits until the controller stands at the gate.
func (f *fleet) hold(g *gate) {
	f.Helper()
	select {
	case <-g.reached:
	case <-time.After(time.Minute):
		f.Fatalf("no controller comes to %q; log:\n%s", g.step, f.log)
	}
}

// wire is a controller's way to the API server.
type wire struct {
	before func(*http.Request)  // called with each request, if set
	after  func(*http.Response) // and of each answer

	mu    sync.Mutex
	up    context.Context
	sever context.CancelFunc
}

func newWire() *wire {
	w := &wire{}
	w.mend()
	return w
}

// cut breaks what is under way, and lets nothing through.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sever()
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.up, w.sever = context.WithCancel(context.Background())
}

func (w *wire) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		w.mu.Lock()
		up := w.up
		w.mu.Unlock()
		if up.Err() != nil {
			return nil, errors.New("the wire is cut")
		}
		ctx, cancel := context.WithCancel(r.Context())
		context.AfterFunc(up, cancel) // a watch reads on after we return
		if w.before != nil {
			w.before(r)
		}
		answer, err := next.RoundTrip(r.WithContext(ctx))
		if err == nil && w.after != nil {
			w.after(answer)
		}
		return answer, err
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
