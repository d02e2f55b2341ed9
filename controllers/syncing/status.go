package syncing

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

// writeStatuses writes statuses, where there is a place for them.
func (l *look) writeStatuses(ctx context.Context, r *syncing.Round) (worked bool, err error) {
	for _, s := range r.Statuses {
		did, err := l.writeStatus(ctx, s)
		worked = worked || did
		if err != nil {
			return worked, l.explain("write the status of "+s.Ref.String(), s.Ref.ID, err)
		}
	}
	return worked, nil
}

func (l *look) writeStatus(ctx context.Context, s syncing.StatusWrite) (worked bool, err error) {
	k, is := l.kindOf(s.Ref)
	on := l.server(s.Ref.Place)
	if !is || !l.hasStatus(on, k) {
		l.warn(s)
		return false, nil
	}
	sh := l.ready.shelf(s.Ref.Place, k)
	now := sh.get(at{s.Object.Namespace(), s.Object.Name()})
	if now == nil {
		return false, nil
	}
	next := now.DeepCopy()
	krm.RemoveField(next.Node(), "status")
	if s.Status != nil {
		krm.SetField(next.Node(), "status", krm.SelfContained(krm.CopyNode(s.Status)))
	}
	u, err := sendable(next)
	if err != nil {
		return false, err
	}
	mark := resourceVersion(now) + " " + hashOf(string(mustJSON(s)))
	if l.dropped(s.Ref, mark) {
		return false, nil
	}
	end := sh.begin(atOf(now))
	var answer *krm.Object
	defer func() { end(answer, l.worker) }()
	made, err := on.resource(k, now.Namespace()).UpdateStatus(ctx, u, metav1.UpdateOptions{FieldManager: manager})
	if apierrors.IsConflict(err) {
		err = errFaster
	}
	l.meters.operation(l.name, actionStatus, err)
	switch {
	case apierrors.IsNotFound(err):
		return false, nil // it is gone, which is told of
	case err != nil:
		return true, err
	case made.GetResourceVersion() == resourceVersion(now):
		l.memory.mu.Lock()
		l.memory.unheard[s.Ref.String()] = mark // its schema has no room for it
		l.memory.mu.Unlock()
		return false, nil
	}
	if s.Back {
		l.at.say(now, eventStatusSynced, "the status was brought back")
	}
	answer, err = objectOf(made)
	return true, err
}

// dropped reports whether an API server took this very status and changed nothing.
func (l *look) dropped(ref correspond.Ref, mark string) bool {
	l.memory.mu.Lock()
	defer l.memory.mu.Unlock()
	return l.memory.unheard[ref.String()] == mark
}

func mustJSON(s syncing.StatusWrite) []byte {
	if s.Status == nil {
		return nil
	}
	data, err := krm.CanonicalJSON(s.Status)
	if err != nil { // then it is not sent either
		return []byte(err.Error())
	}
	return data
}

// warn tells once that a status has no place.
func (l *look) warn(s syncing.StatusWrite) {
	l.memory.mu.Lock()
	told := l.memory.warned[s.Primary]
	l.memory.warned[s.Primary] = true
	l.memory.mu.Unlock()
	if !told {
		l.at.say(l.source(), eventNoStatus, fmt.Sprintf("%s has no status subresource, so that its status stays as it is", s.Ref.Kind))
	}
}

// hasStatus reports whether objects of a type have a status that is written on its own. What cannot be found out
// counts as yes: the write tells.
func (p *pass) hasStatus(on *server, k kind) bool {
	key := shelfKey{on.name, k}
	m := p.memory
	m.mu.Lock()
	has, is := m.statuses[key]
	m.mu.Unlock()
	if is {
		return has
	}
	has, err := on.hasStatus(k.GroupVersionResource)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses[key] = has || err != nil
	return m.statuses[key]
}
