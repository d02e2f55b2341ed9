package engine

import "context"

// Step is what was evaluated since the Step before: one row of a collector, or, without a Collector, the rest of an object.
type Step struct{ Collector string }

// queue has the subjects to evaluate. Some may no longer be stale.
type queue struct {
	fifo      []*subject // in the order in which they became stale
	slow      []*subject // those that need more than one call, in the order of their calls
	slowFirst bool       // the next call begins with a slow one
	stale     int        // the number of stale subjects
}

// Evaluate evaluates what has changed, and reports whether something is left. It calls more after each Step, and stops when
// more returns false (nil never does), or with an error when ctx ends. Each call makes progress. An object that takes more
// than a whole call moves behind the other slow ones. Slow and fast objects are first in every second call each, so that
// neither keep the others waiting for long. The number of calls does not change the results.
func (e *Engine) Evaluate(ctx context.Context, more func(Step) bool) (left bool, err error) {
	proceed := true
	report := func(done Step) bool {
		if done.Collector != "" {
			e.changes.Rows++
		}
		proceed = more == nil || more(done)
		return proceed
	}
	q := &e.queue
	q.slowFirst = !q.slowFirst
	first := true
	for s, from := q.next(); s != nil && proceed; s, from = q.next() {
		done, err := e.evaluate(ctx, s, report)
		if err != nil {
			return true, err
		}
		if done {
			pop(from)
			q.done(s)
			report(Step{})
		} else if first { // it had the whole call
			pop(from)
			q.slow = append(q.slow, s)
		}
		first = false
	}
	s, _ := q.next()
	return s != nil, nil
}

// Waiting is the number of objects under a Binding with a stale result.
func (e *Engine) Waiting() int { return e.queue.stale }

// add enqueues a subject, behind those that wait.
func (q *queue) add(s *subject) {
	if !s.stale {
		s.stale = true
		q.stale++
		q.fifo = append(q.fifo, s)
	}
}

// done marks a subject as evaluated, or as removed.
func (q *queue) done(s *subject) {
	if s.stale {
		s.stale = false
		q.stale--
	}
}

// next returns the next subject to evaluate and the list that it is first in; nil for none.
func (q *queue) next() (s *subject, from *[]*subject) {
	lists := [...]*[]*subject{&q.fifo, &q.slow}
	if q.slowFirst {
		lists[0], lists[1] = lists[1], lists[0]
	}
	for _, from := range lists {
		for len(*from) > 0 && !(*from)[0].stale {
			pop(from)
		}
		if len(*from) > 0 {
			return (*from)[0], from
		}
	}
	return nil, nil
}

func pop(from *[]*subject) {
	(*from)[0] = nil
	if *from = (*from)[1:]; len(*from) == 0 {
		*from = nil
	}
}
