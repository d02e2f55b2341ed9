package publishedresource

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// writeStatuses writes statuses, where there is a place for them.
func (l *primary) writeStatuses(ctx context.Context, r *apisync.Round) (worked bool, err error) {
	for _, s := range r.Statuses {
		did, err := l.writeStatus(ctx, s)
		worked = worked || did
		if err != nil {
			return worked, l.describe("write the status of "+s.Ref.String(), s.Ref.ID, err)
		}
	}
	return worked, nil
}

func (l *primary) writeStatus(ctx context.Context, s apisync.StatusWrite) (worked bool, err error) {
	k, ok := l.resourceOf(s.Ref)
	on := l.pass.worker.controller.server(s.Ref.Place)
	if !ok || !l.pass.hasStatus(on, k) {
		l.warnOfNoStatus(s)
		return false, nil
	}
	c := l.prepared.cache(s.Ref.Place, k)
	now := c.Get(live.Key{Namespace: s.Object.Namespace(), Name: s.Object.Name()})
	if now == nil {
		return false, nil
	}
	next := now.DeepCopy()
	krm.RemoveField(next.Node(), "status")
	if s.Status != nil {
		krm.SetField(next.Node(), "status", krm.SelfContained(krm.CopyNode(s.Status)))
	}
	u, err := live.ToUnstructured(next)
	if err != nil {
		return false, err
	}
	mark := live.ResourceVersion(now) + " " + hashOf(string(mustJSON(s)))
	if l.dropped(s.Ref, mark) {
		return false, nil
	}
	end := c.BeginWrite(live.KeyOf(now))
	var answer *krm.Object
	defer func() { end(answer, l.pass.worker) }()
	made, err := on.Client(k, now.Namespace()).UpdateStatus(ctx, u, metav1.UpdateOptions{FieldManager: live.FieldManager})
	if apierrors.IsConflict(err) {
		err = live.ErrConflict
	}
	l.pass.metrics.operation(l.pass.worker.name, actionStatus, err)
	switch {
	case apierrors.IsNotFound(err):
		return false, nil // it is gone, which is told of
	case err != nil:
		return true, err
	case made.GetResourceVersion() == live.ResourceVersion(now):
		l.pass.memory.mu.Lock()
		l.pass.memory.droppedStatus[s.Ref.String()] = mark // its schema has no field for it
		l.pass.memory.mu.Unlock()
		return false, nil
	}
	if s.Back {
		l.server.event(now, eventStatusSynced, "the status was brought back")
	}
	answer, err = live.FromUnstructured(made)
	return true, err
}

// dropped reports whether an API server took this very status and changed nothing.
func (l *primary) dropped(ref applyset.Ref, mark string) bool {
	l.pass.memory.mu.Lock()
	defer l.pass.memory.mu.Unlock()
	return l.pass.memory.droppedStatus[ref.String()] == mark
}

func mustJSON(s apisync.StatusWrite) []byte {
	if s.Status == nil {
		return nil
	}
	data, err := krm.CanonicalJSON(s.Status)
	if err != nil { // then it is not sent either
		return []byte(err.Error())
	}
	return data
}

// warnOfNoStatus reports once that a status has no place.
func (l *primary) warnOfNoStatus(s apisync.StatusWrite) {
	l.pass.memory.mu.Lock()
	told := l.pass.memory.warned[s.Primary]
	l.pass.memory.warned[s.Primary] = true
	l.pass.memory.mu.Unlock()
	if !told {
		l.server.event(l.source(), eventNoStatus, fmt.Sprintf("%s has no status subresource, so that its status stays as it is", s.Ref.Kind))
	}
}

// hasStatus reports whether a type has a status subresource. Where that cannot be found out it counts as yes: the write
// will tell.
func (p *pass) hasStatus(on *server, k live.Resource) bool {
	key := live.CacheKey{Server: on.Name, Resource: k}
	m := p.memory
	m.mu.Lock()
	has, is := m.statuses[key]
	m.mu.Unlock()
	if is {
		return has
	}
	has, err := on.HasStatus(k.GroupVersionResource)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses[key] = has || err != nil
	return m.statuses[key]
}
