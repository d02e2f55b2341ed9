package translation

import (
	"time"
)

// stuck is a Translation that stays as it is.
type stuck struct {
	version string // of the Translation
	until   time.Time
}

// later is a Translation of which nothing is tried for a while, unless it changes.
type later struct {
	version string // of the Translation
	pause   time.Duration
	until   time.Time
	needs   bool // something that another one has, or has in the way: what others do may help
}

// postpone has a Translation that failed wait, longer each time. Others do not wait with it. What made the
// backend ask to be left alone waits after that for a while, so that others come first.
func (w *work) postpone(key string, t *tally) {
	l, version := w.later[key], w.seen[key].version()
	if l.version != version {
		l = later{version: version}
	}
	l.pause = min(max(2*l.pause, w.options.FirstRetry), w.options.LastRetry)
	l.until, l.needs = time.Now().Add(l.pause+w.result.RetryAfter), !t.troubled
	w.later[key] = l
}

// isLater reports whether nothing of a Translation is to be tried yet.
func (w *work) isLater(key string) bool {
	l, is := w.later[key]
	return is && l.version == w.seen[key].version() && w.began.Before(l.until)
}

// reconsider has those that need something tried soon, after something was done.
func (w *work) reconsider() {
	for key, l := range w.later {
		if l.needs {
			l.pause, l.until = 0, time.Now().Add(w.options.FirstRetry)
			w.later[key] = l
		}
	}
}

// soonest is the time until the first of those that wait is to be tried; negative when none waits.
func (w *work) soonest() time.Duration {
	soonest := time.Duration(-1)
	for _, l := range w.later {
		if until := max(0, time.Until(l.until)); soonest < 0 || until < soonest {
			soonest = until
		}
	}
	return soonest
}
