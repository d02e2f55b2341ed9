package combinedstatus

import (
	"context"
	"errors"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/plan"
)

// execute executes one write; after a read, the write that follows from it. A failed one is retried after a pause, an invalid
// one when something changes.
func (r *reconciler) execute(ctx context.Context, w *plan.Write) {
	states, err := r.write(ctx, w)
	if w.Verb != plan.Read {
		countWrite(w.Target, w.Verb, err)
	}
	switch {
	case err == nil && w.Verb == plan.Read:
		if next := r.planAfterRead(w, states); next != nil {
			r.execute(ctx, next)
		}
	case err == nil:
		r.retries.Forget(w.Request)
		r.succeeded(w, states)
	case ctx.Err() != nil:
	case isOutdated(w, err):
		r.state.update(w.Outdated)
		r.retryAfter(w.Request, r.retries.When(w.Request), false)
	case apierrors.IsInvalid(err) && r.rejected(w, err):
		r.retries.Forget(w.Request)
	case namespaceMissing(err):
		r.logError("namespace "+w.Namespace, err,
			"results cannot be written because a namespace is missing; the controller retries from time to time",
			"namespace", w.Namespace, "help", namespaceHelp(w.Namespace))
		r.retryAfter(w.Request, r.options.LastRetry, true)
	default:
		r.logError(w.String(), err, "a write failed; the controller retries", "object", w.String(), "verb", string(w.Verb))
		pause := r.retries.When(w.Request)
		if tooLarge(err) {
			pause = r.options.LastRetry
		}
		r.retryAfter(w.Request, pause, true)
	}
}

func (r *reconciler) succeeded(w *plan.Write, states []*unstructured.Unstructured) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	delete(r.errors, w.String())
	delete(r.errors, "namespace "+w.Namespace)
	w.Done(states...)
}

// planAfterRead returns the write for an object that was read; nil for none. If the object changed meanwhile, the next
// reconcile reads it again.
func (r *reconciler) planAfterRead(w *plan.Write, states []*unstructured.Unstructured) *plan.Write {
	s := r.state
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Done(states...)
	next := r.planOne(w.Request)
	if next != nil && next.Verb == plan.Read {
		s.plan.Request(w.Request)
		s.wakeUp()
		return nil
	}
	return next
}

// isOutdated reports whether a write was refused because another client wrote first: the object is not in the state that was
// read, it exists, or it does not exist any more.
func isOutdated(w *plan.Write, err error) bool {
	gone := apierrors.IsNotFound(err) && w.Patch != nil && !namespaceMissing(err)
	return gone || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || w.Patch != nil && patchFailed(err)
}

// patchFailed reports whether an operation of a JSON patch failed. An object that is invalid after the patch is named.
func patchFailed(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) {
		return false
	}
	details := status.Status().Details
	return details == nil || details.Name == ""
}

// rejected notes that the API server finds a returned status invalid; false for any other write.
func (r *reconciler) rejected(w *plan.Write, err error) bool {
	r.state.mu.Lock()
	help, ok := w.Rejected()
	r.state.mu.Unlock()
	if !ok {
		return false
	}
	about := []any{"object", w.String()}
	if help != "" && !r.options.Engine.Returning.StrictCounters {
		about = append(about, "help", help)
	}
	r.options.Log.Error(err, "the API server refuses the status; the object keeps what it has until something changes", about...)
	return true
}

// logError logs an error about an object once while it stays the same.
func (r *reconciler) logError(object string, err error, message string, more ...any) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	if text := err.Error(); r.errors[object] != text {
		r.errors[object] = text
		r.options.Log.Error(err, message, more...)
	}
}

// retryAfter requests an object again after a pause; with block it is not written before, whatever changes.
func (r *reconciler) retryAfter(req plan.Request, pause time.Duration, block bool) {
	s := r.state
	s.mu.Lock()
	defer s.mu.Unlock()
	if block {
		s.plan.Block(req)
	}
	time.AfterFunc(pause, func() { s.update(func() { s.plan.Unblock(req) }) })
}

// namespaceMissing reports whether an object cannot be created because its namespace does not exist.
func namespaceMissing(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &status) {
		return false
	}
	details := status.Status().Details
	return details != nil && details.Group == "" && details.Kind == "namespaces"
}

func namespaceHelp(namespace string) string {
	if namespace == control.ReportNamespace {
		return "results about cluster-scoped objects are in this namespace: create it, or apply controllers/manifests/combinedstatus, " +
			"which contains it"
	}
	return "create it"
}

// tooLarge reports whether an object is refused for its size, by the API server or by etcd, whose error is only text.
func tooLarge(err error) bool {
	return apierrors.IsRequestEntityTooLargeError(err) ||
		strings.Contains(err.Error(), "etcdserver: request is too large") ||
		strings.Contains(err.Error(), "trying to send message larger than max")
}
