package render

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// siblings renders packages at the same time: none of them sees another. Their events, steps and first error come
// in path order, as if one package was rendered after another; the packages behind the one with the error
// count as not begun.
func (r *renderer) siblings(ctx context.Context, packages []*load.Package) ([]*krm.Object, error) {
	ctx, cancel := context.WithCancel(ctx)
	runs := make([]*siblingRun, len(packages))
	var all sync.WaitGroup
	for i, p := range packages {
		runs[i] = &siblingRun{done: make(chan struct{})}
		all.Go(func() { runs[i].render(ctx, r, p) })
	}
	defer all.Wait()
	defer cancel()
	var items []*krm.Object
	for i, run := range runs {
		run.forward(r.observe)
		<-run.done
		r.result.Steps = append(r.result.Steps, run.steps...)
		r.result.appendTraces(run.traces, len(run.steps))
		if run.err != nil {
			cancel()
			all.Wait()
			for _, p := range packages[i+1:] {
				for _, q := range p.All() {
					q.Current = nil
				}
			}
			return nil, run.err
		}
		items = append(items, run.items...)
	}
	return items, nil
}

// siblingRun is the render of one of several packages.
type siblingRun struct {
	items  []*krm.Object
	steps  []Step
	traces []Trace
	err    error
	done   chan struct{} // closed when the fields above are final

	mu       sync.Mutex
	observer func(Event) // nil while the packages before this one are rendered
	buffered []Event     // the events until then
}

func (s *siblingRun) render(ctx context.Context, parent *renderer, p *load.Package) {
	defer close(s.done)
	own := *parent
	own.opts.Observe, own.result = s.observe, &Result{}
	s.items, s.err = own.depthFirst(ctx, p)
	s.steps, s.traces = own.result.Steps, own.result.Traces
}

func (s *siblingRun) observe(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.observer == nil {
		s.buffered = append(s.buffered, e)
	} else {
		s.observer(e)
	}
}

// forward sends the buffered events to observer, and all later events as they happen.
func (s *siblingRun) forward(observer func(Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.buffered {
		observer(e)
	}
	s.observer = observer
}
