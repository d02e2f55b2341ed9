package translation

import (
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// permanentFailure is that of a Translation which is not tried again before it changes, or the time is over.
type permanentFailure struct {
	version string // of the Translation
	until   time.Time
}

// failsPermanently reports whether a permanent failure still counts; if not, it is dropped.
func (w *round) failsPermanently(key string) bool {
	f, is := w.r.permanent[key]
	if is && f.version == w.snapshot[key].version() && time.Now().Before(f.until) {
		return true
	}
	delete(w.r.permanent, key)
	return false
}

// backoff is that of a Translation which is not tried again before it changes, or the time is over.
type backoff struct {
	version string // of the Translation
	pause   live.Backoff
	until   time.Time
	blocked bool // by another Translation: progress of others may help
}

// backOff has a Translation that failed wait, longer each time. If it made the backend ask for a pause, it
// waits after that, so that others come first.
func (w *round) backOff(key string, res *result) {
	b, o := w.r.backoff[key], w.r.options
	if version := w.snapshot[key].version(); b.version != version {
		b = backoff{version: version, pause: live.Backoff{First: o.FirstRetry, Last: o.LastRetry}}
	}
	b.until, b.blocked = time.Now().Add(b.pause.Next()+w.applied.RetryAfter), !res.backendFault
	w.r.backoff[key] = b
}

func (w *round) inBackoff(key string) bool {
	b, is := w.r.backoff[key]
	return is && b.version == w.snapshot[key].version() && w.began.Before(b.until)
}

// endBackoffs has blocked Translations tried soon, after others made progress.
func (r *reconciler) endBackoffs() {
	for key, b := range r.backoff {
		if b.blocked {
			b.pause.Reset()
			b.until = time.Now().Add(r.options.FirstRetry)
			r.backoff[key] = b
		}
	}
}

// untilRetry is the time until the first backoff ends; negative without any.
func (r *reconciler) untilRetry() time.Duration {
	first := time.Duration(-1)
	for _, b := range r.backoff {
		first = earlier(first, max(0, time.Until(b.until)))
	}
	return first
}

// earlier is the shorter of two times, where a negative one never comes.
func earlier(a, b time.Duration) time.Duration {
	if a < 0 {
		return b
	}
	return min(a, b)
}
