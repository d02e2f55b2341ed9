package publishedresource

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// writeStatuses writes statuses, where there is a place for them.
func (p *primary) writeStatuses(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	for _, s := range r.Statuses {
		did, err := p.writeStatus(ctx, s)
		worked = worked || did
		if err != nil {
			return worked, describe("write the status of "+s.Ref.String(), s.Ref.ID, err)
		}
	}
	return worked, nil
}

func (p *primary) writeStatus(ctx context.Context, s apisync.StatusWrite) (worked bool, err error) {
	c, on := p.prepared.cacheFor(s.Ref), p.pass.worker.controller.server(s.Ref.Place)
	if c == nil || !p.pass.hasStatus(on, c.Resource) {
		p.warnOfNoStatus(s)
		return false, nil
	}
	now := c.Get(live.KeyOf(s.Object))
	if now == nil {
		return false, nil
	}
	next := now.DeepCopy()
	s.Apply(next)
	u, err := live.ToUnstructured(next)
	if err != nil {
		return false, err
	}
	write := live.ResourceVersion(now) + " " + s.Hash()
	dropped := false
	p.pass.memory.update(func() { dropped = p.pass.memory.droppedStatus[s.Ref.String()] == write })
	if dropped {
		return false, nil
	}
	answer, err := p.pass.write(c, live.KeyOf(now), actionStatus, func() (*krm.Object, error) {
		return on.updateStatus(ctx, c.Resource, u)
	})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil // the watch reports that
	case err != nil:
		return true, err
	case live.ResourceVersion(answer) == live.ResourceVersion(now):
		p.pass.memory.update(func() { p.pass.memory.droppedStatus[s.Ref.String()] = write }) // its schema has no field for it
		return false, nil
	}
	if s.Back {
		p.server.recordEvent(now, eventStatusSynced, "the status was brought back")
	}
	return true, nil
}

// updateStatus writes the status of an object that is otherwise as it was read. It returns the API server's answer.
func (s *server) updateStatus(ctx context.Context, r live.Resource, u *unstructured.Unstructured) (*krm.Object, error) {
	answer, err := s.Client(r, u.GetNamespace()).UpdateStatus(ctx, u, metav1.UpdateOptions{FieldManager: live.FieldManager})
	switch {
	case apierrors.IsConflict(err):
		return nil, live.ErrConflict
	case err != nil:
		return nil, err
	}
	return live.FromUnstructured(answer)
}

// warnOfNoStatus reports once that a status has no place.
func (p *primary) warnOfNoStatus(s apisync.StatusWrite) {
	warned := false
	p.pass.memory.update(func() { warned, p.pass.memory.warned[s.Primary] = p.pass.memory.warned[s.Primary], true })
	if !warned {
		p.server.recordEvent(p.source(), eventNoStatus, s.Ref.Kind+" has no status subresource, so that its status stays as it is")
	}
}

// hasStatus reports whether a type has a status subresource. Where an API server does not answer it counts as yes: the
// write will fail then.
func (p *pass) hasStatus(on *server, k live.Resource) (has bool) {
	key, m, known := live.CacheKey{Server: on.Name, Resource: k}, p.memory, false
	m.update(func() { has, known = m.statuses[key] })
	if known {
		return has
	}
	has, err := on.HasStatus(k.GroupVersionResource)
	m.update(func() { m.statuses[key] = has || err != nil })
	return has || err != nil
}
