package engine

import "context"

// Step is what was done since the Step before: one row of a collector, or, where there is no Collector,
// something else.
type Step struct{ Collector string }

// queue holds subjects that are stale, and some that were.
type queue struct {
	fresh []*subject // in the order in which they became stale
	slow  []*subject // that more than one call was needed for, in the order in which they had one
	turn  bool       // the next call begins with a slow one
	stale int        // how many are
}

// Evaluate evaluates what has changed, and reports whether something is left to evaluate. It stops when more
// says that this is enough, which it is asked after each Step, or with an error when ctx ends; nil never says
// so. Each call gets on. An object that a whole call was not enough for comes after all others of that sort,
// which get every second call at least; and so do those for which one is enough, so that neither keep the
// others waiting for long. What was evaluated counts, and in how many calls all is evaluated makes no
// difference to what comes of it.
func (e *Engine) Evaluate(ctx context.Context, more func(Step) bool) (left bool, err error) {
	going := true
	ask := func(done Step) bool {
		if done.Collector != "" {
			e.news.Rows++
		}
		going = more == nil || more(done)
		return going
	}
	e.turn = !e.turn
	whole := true // nobody had any of this call yet
	for s, from := e.next(); s != nil && going; s, from = e.next() {
		done, err := e.refresh(ctx, s, ask)
		if err != nil {
			return true, err
		}
		if done {
			pop(from)
			e.unmark(s)
			ask(Step{})
		} else if whole {
			pop(from)
			e.slow = append(e.slow, s)
		}
		whole = false
	}
	s, _ := e.next()
	return s != nil, nil
}

// Waiting is how many objects under a Binding have a result that is old.
func (e *Engine) Waiting() int { return e.stale }

// mark has a subject evaluated, after those that wait for it.
func (q *queue) mark(s *subject) {
	if !s.stale {
		s.stale = true
		q.stale++
		q.fresh = append(q.fresh, s)
	}
}

// unmark says that there is nothing to evaluate, or nobody who asks.
func (q *queue) unmark(s *subject) {
	if s.stale {
		s.stale = false
		q.stale--
	}
}

// next is what is to be evaluated next, and the first of where it is; nil for nothing.
func (q *queue) next() (s *subject, from *[]*subject) {
	one, other := &q.fresh, &q.slow
	if q.turn {
		one, other = other, one
	}
	for _, from := range []*[]*subject{one, other} {
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
