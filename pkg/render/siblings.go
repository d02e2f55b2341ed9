package render

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// siblings renders packages at the same time: none of them sees another. What is told of them comes
// in path order, as if one had been rendered after the other, and so does the first error; what came
// after that one counts as not begun.
func (r *renderer) siblings(ctx context.Context, packages []*pkg) ([]*krm.Object, error) {
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
		run.tell(r.observe)
		<-run.done
		r.result.Steps = append(r.result.Steps, run.steps...)
		r.result.takeTraces(run.traces, len(run.steps))
		if run.err != nil {
			cancel()
			all.Wait()
			for _, p := range packages[i+1:] {
				p.forget()
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

	mu     sync.Mutex
	listen func(Event) // nil until it is this package's turn
	heard  []Event     // what happened before
}

func (s *siblingRun) render(ctx context.Context, parent *renderer, p *pkg) {
	defer close(s.done)
	own := *parent
	own.opts.Observe, own.result = s.observe, &Result{}
	s.items, s.err = own.depthFirst(ctx, p)
	s.steps, s.traces = own.result.Steps, own.result.Traces
}

func (s *siblingRun) observe(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listen == nil {
		s.heard = append(s.heard, e)
	} else {
		s.listen(e)
	}
}

// tell passes on what happened so far, and from now on everything as it happens.
func (s *siblingRun) tell(listen func(Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.heard {
		listen(e)
	}
	s.listen = listen
}

// forget makes p and what is below count as not begun.
func (p *pkg) forget() {
	p.now = nil
	for _, s := range p.subs {
		s.forget()
	}
}
