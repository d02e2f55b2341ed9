package translation

import (
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// permanentFailure is the failure of a Translation that is not retried before it changes, or the time is over.
type permanentFailure struct {
	version string // of the Translation
	until   time.Time
}

// failsPermanently reports whether a permanent failure still counts; otherwise it removes the failure.
func (w *round) failsPermanently(key string) bool {
	f, is := w.r.permanent[key]
	if is && f.version == w.snapshot[key].version() && time.Now().Before(f.until) {
		return true
	}
	delete(w.r.permanent, key)
	return false
}

// backoff is the pause of a Translation that is not retried before it changes, or the time is over.
type backoff struct {
	version string // of the Translation
	pause   live.Backoff
	until   time.Time
	blocked bool // by another Translation: progress of others may help
}

// backOff makes a failed Translation wait, longer each time. If the backend asked for a pause because of it, it waits after
// that pause, so that others come first.
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

// endBackoffs retries blocked Translations soon, after others made progress.
func (r *reconciler) endBackoffs() {
	for key, b := range r.backoff {
		if b.blocked {
			b.pause.Reset()
			b.until = time.Now().Add(r.options.FirstRetry)
			r.backoff[key] = b
		}
	}
}

// untilRetry is the time until the first backoff ends; negative if there is none.
func (r *reconciler) untilRetry() time.Duration {
	first := time.Duration(-1)
	for _, b := range r.backoff {
		first = earlier(first, max(0, time.Until(b.until)))
	}
	return first
}

// earlier is the shorter of two times; a negative one is never.
func earlier(a, b time.Duration) time.Duration {
	if a < 0 {
		return b
	}
	return min(a, b)
}
