package combinedstatus

import (
	"context"
	"errors"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// do writes once. What fails comes back after a pause; what is invalid, when something changes.
func (p *passes) do(ctx context.Context, a *action) {
	now, err := a.run(ctx)
	p.meters.wrote(a, err)
	switch {
	case err == nil:
		p.retries.Forget(a.task)
		p.took(a, now)
	case ctx.Err() != nil:
	case apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err): // somebody was faster
		p.pause(a.task, p.retries.When(a.task), false)
	case apierrors.IsInvalid(err) && a.refused != nil:
		p.retries.Forget(a.task)
		p.refuse(a, err)
	case lacksNamespace(err):
		p.say("namespace "+a.Namespace, err, "results cannot be written for want of a namespace; it is looked for now and then",
			"namespace", a.Namespace, "help", namespaceHelp(a.Namespace))
		p.pause(a.task, p.options.LastRetry, true)
	default:
		p.say(a.String(), err, "not written; it is tried again", "object", a.String(), "verb", string(a.verb))
		pause := p.retries.When(a.task)
		if tooLarge(err) {
			pause = p.options.LastRetry
		}
		p.pause(a.task, pause, true)
	}
}

// refuse takes in that a write is invalid.
func (p *passes) refuse(a *action, err error) {
	p.mu.Lock()
	help := a.refused()
	p.mu.Unlock()
	about := []any{"object", a.String()}
	if help != "" && !p.options.Engine.Returning.StrictCounters {
		about = append(about, "help", help)
	}
	p.log(err, "the API server refuses the status; the object keeps what it has until something changes", about...)
}

// say logs what is wrong, unless that was said last about the same.
func (p *passes) say(about string, err error, what string, more ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text := err.Error(); p.told[about] != text {
		p.told[about] = text
		p.log(err, what, more...)
	}
}

// lacksNamespace reports whether there is nowhere to create an object.
func lacksNamespace(err error) bool {
	var told apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &told) {
		return false
	}
	details := told.Status().Details
	return details != nil && details.Group == "" && details.Kind == "namespaces"
}

func namespaceHelp(namespace string) string {
	if namespace == control.ReportNamespace {
		return "results about objects without a namespace are in this one: create it, or apply controllers/manifests/status, which has it"
	}
	return "create it"
}

// pause has a task come back. One that is held is not even tried before, whatever changes meanwhile.
func (p *passes) pause(t task, pause time.Duration, hold bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if hold {
		p.held[t] = true
	}
	time.AfterFunc(pause, func() {
		p.change(func() {
			delete(p.held, t)
			p.tasks[t] = struct{}{}
		})
	})
}

// tooLarge reports whether an object is refused because of its size, by the API server or by etcd behind it,
// which answers in words alone.
func tooLarge(err error) bool {
	return apierrors.IsRequestEntityTooLargeError(err) ||
		strings.Contains(err.Error(), "etcdserver: request is too large") ||
		strings.Contains(err.Error(), "trying to send message larger than max")
}

func (p *passes) took(a *action, now *unstructured.Unstructured) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.told, a.String())
	delete(p.told, "namespace "+a.Namespace)
	a.done(now)
}
