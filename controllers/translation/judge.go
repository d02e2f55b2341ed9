package translation

import "time"

// judge tells what became of a Translation, and holds it when it is wrong for good.
func (w *work) judge(key string, t *tally) {
	s := w.seen[key]
	if t.failure == "" {
		if t.waiting > 0 {
			return
		}
		delete(w.said, key)
		delete(w.later, key)
		if t.done > 0 && s != nil && !s.dying {
			w.tell.say(s.object, updatePushed, "Push", "the backend has it"+t.note)
		}
		return
	}
	switch {
	case t.refused && t.waiting > 0:
		w.stuck[key] = stuck{s.version(), time.Now().Add(w.options.PermanentRetry)}
		delete(w.later, key)
	case t.waiting > 0:
		w.postpone(key, t)
	}
	w.complain(key, s, t)
}

// complain tells of a failure, once for as long as it stays the same.
func (w *work) complain(key string, s *seen, t *tally) {
	text := s.version() + " " + t.failure
	if w.said[key] == text {
		return
	}
	w.said[key] = text
	w.options.Log.Info("a Translation is not pushed", "translation", key, "reason", t.failure, "permanent", t.permanent)
	switch {
	case s == nil:
	case s.dying:
		w.tell.warn(s.object, deletionError, "Delete", t.failure)
	default:
		w.tell.warn(s.object, updateError, "Push", t.failure)
	}
}

// mostPatience bounds for how long a backend is left alone on the word of one answer.
const mostPatience = 10 * time.Minute

// verdict says when to make the next pass.
func (w *work) verdict() verdict {
	if w.result == nil {
		return verdict{after: -1}
	}
	var progress, unreached bool
	for key, t := range w.tallies {
		progress = progress || t.done > 0
		unreached = unreached || t.unreached && !w.isLater(key)
	}
	if progress {
		w.reconsider()
	}
	if progress || !unreached && w.unreleased == 0 {
		w.pause = 0
	}
	next := verdict{after: w.soonest()}
	switch {
	case w.result.RetryAfter > 0:
		return verdict{after: min(w.result.RetryAfter, mostPatience), firm: true}
	case w.result.Unfinished:
		return verdict{}
	case unreached || w.unreleased > 0:
		next.after = sooner(next.after, w.grow())
	}
	if len(w.stuck) > 0 {
		next.after = sooner(next.after, w.options.PermanentRetry)
	}
	return next
}

// sooner is the shorter of two times, of which a negative one never comes.
func sooner(a, b time.Duration) time.Duration {
	if a < 0 {
		return b
	}
	return min(a, b)
}

// count counts Translations by what became of them.
func (w *work) count() {
	waiting, wrong := 0, len(w.stuck)
	for key, t := range w.tallies {
		_, is := w.stuck[key]
		switch {
		case is:
		case t.permanent:
			wrong++
		case t.waiting > 0:
			waiting++
		}
	}
	w.meters.waiting.WithLabelValues("pushed").Set(float64(max(0, len(w.seen)+len(w.gone)-waiting-wrong)))
	w.meters.waiting.WithLabelValues("waiting").Set(float64(waiting))
	w.meters.waiting.WithLabelValues("wrong").Set(float64(wrong))
}
