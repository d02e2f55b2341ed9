package translation

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// Reasons of events, which are those of midonet-kubernetes.
const (
	updatePushed   = "TranslationUpdatePushed"
	updateError    = "TranslationUpdateError"
	deletionPushed = "TranslationDeletionPushed"
	deletionError  = "TranslationDeletionError"
	finalizerError = "TranslationDeletionFinalizerError"
)

// event sends an event about a Translation, of type Normal or Warning.
func (r *reconciler) event(o *observed, eventType, reason, action, note string) {
	r.recorder.Eventf(o.object, nil, eventType, reason, action, "%s", live.Truncate(note))
}

// report sends events about the result of a Translation, and sets when it may be retried.
func (w *round) report(key string, res *result) {
	o, r := w.snapshot[key], w.r
	if res.failure == "" {
		if res.pending > 0 {
			return
		}
		delete(r.reported, key)
		delete(r.backoff, key)
		if res.done > 0 && o != nil && !o.deleting {
			r.event(o, corev1.EventTypeNormal, updatePushed, "Push", "the backend has it"+res.note)
		}
		return
	}
	switch {
	case res.refused && res.pending > 0:
		r.permanent[key] = permanentFailure{o.version(), time.Now().Add(r.options.PermanentRetry)}
		delete(r.backoff, key)
	case res.pending > 0:
		w.backOff(key, res)
	}
	r.reportFailure(key, o, res)
}

// reportFailure reports once, while the failure stays the same.
func (r *reconciler) reportFailure(key string, o *observed, res *result) {
	text := o.version() + " " + res.failure
	if r.reported[key] == text {
		return
	}
	r.reported[key] = text
	r.options.Log.Info("a Translation is not pushed", "translation", key, "reason", res.failure, "permanent", res.permanent)
	switch {
	case o == nil:
	case o.deleting:
		r.event(o, corev1.EventTypeWarning, deletionError, "Delete", res.failure)
	default:
		r.event(o, corev1.EventTypeWarning, updateError, "Push", res.failure)
	}
}

// maxRetryAfter bounds the pause that one answer of a backend can ask for.
const maxRetryAfter = 10 * time.Minute

// requeue says when to reconcile again.
func (w *round) requeue() requeue {
	if w.applied == nil {
		return requeue{after: -1}
	}
	r := w.r
	var progress, unattempted bool
	for key, res := range w.results {
		progress = progress || res.done > 0
		unattempted = unattempted || res.unattempted && !w.inBackoff(key)
	}
	if progress {
		r.endBackoffs()
	}
	incomplete := unattempted || w.notFinalized > 0
	if progress || !incomplete {
		r.pause.Reset()
	}
	switch {
	case w.applied.RetryAfter > 0:
		return requeue{after: min(w.applied.RetryAfter, maxRetryAfter), blocked: true}
	case w.applied.Unfinished:
		return requeue{}
	}
	after := r.untilRetry()
	if incomplete {
		after = earlier(after, r.pause.Next())
	}
	if len(r.permanent) > 0 {
		after = earlier(after, r.options.PermanentRetry)
	}
	return requeue{after: after}
}

// countTranslations counts them by state.
func (w *round) countTranslations() {
	waiting, wrong := 0, len(w.r.permanent)
	for key, res := range w.results {
		_, counted := w.r.permanent[key]
		switch {
		case counted:
		case res.permanent:
			wrong++
		case res.pending > 0:
			waiting++
		}
	}
	translationCount.WithLabelValues("pushed").Set(float64(max(0, len(w.snapshot)+len(w.orphans)-waiting-wrong)))
	translationCount.WithLabelValues("waiting").Set(float64(waiting))
	translationCount.WithLabelValues("wrong").Set(float64(wrong))
}
