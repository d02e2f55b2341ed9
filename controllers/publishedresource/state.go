package publishedresource

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync/lastapplied"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// secrets is the client for Secrets that hold what was last applied.
func (w *worker) secrets() typedcorev1.SecretInterface {
	return w.controller.home.core.Secrets(w.controller.options.StateNamespace)
}

// readState reads what was last applied for a primary.
func (p *pass) readState(ctx context.Context, primary applyset.Ref) (*lastapplied.State, error) {
	owner := lastapplied.Owner{Controller: p.prepared.rule.Controller(), Agent: p.options.Agent, Primary: primary}
	stored, err := p.worker.secrets().Get(ctx, owner.SecretName(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		stored = nil
	case err != nil:
		return nil, fmt.Errorf("read what was last applied: %w", err)
	}
	var state *lastapplied.State
	p.memory.update(func() { state = lastapplied.New(owner, stored, p.memory.overflow[owner.SecretName()]) })
	return state, nil
}

// saveState stores what was last applied, if it changed.
func (p *primary) saveState(ctx context.Context) error {
	if !p.applied.Changed {
		return nil
	}
	secret, overflow := p.applied.Secret(p.pass.options.StateNamespace)
	var err error
	if p.applied.Stored == nil {
		secret, err = p.pass.worker.secrets().Create(ctx, secret, metav1.CreateOptions{FieldManager: live.FieldManager})
	} else {
		secret, err = p.pass.worker.secrets().Update(ctx, secret, metav1.UpdateOptions{FieldManager: live.FieldManager})
	}
	switch {
	case apierrors.IsAlreadyExists(err), apierrors.IsConflict(err), apierrors.IsNotFound(err) && p.applied.Stored != nil:
		return live.ErrConflict
	case err != nil:
		return fmt.Errorf("store what was applied in the namespace %s: %s", p.pass.options.StateNamespace, reasonOf(err))
	}
	p.applied.Stored, p.applied.Changed = secret, false
	p.pass.memory.update(func() {
		delete(p.pass.memory.overflow, secret.Name)
		if len(overflow) > 0 {
			p.pass.memory.overflow[secret.Name] = overflow
		}
	})
	return nil
}

// deleteState deletes what was last applied, once no copy is left.
func (p *primary) deleteState(ctx context.Context) error {
	p.pass.memory.update(func() { delete(p.pass.memory.overflow, p.applied.SecretName()) })
	if p.applied.Stored == nil {
		return nil
	}
	err := p.pass.worker.deleteSecret(ctx, p.applied.Stored)
	if err == nil {
		p.applied = lastapplied.New(p.applied.Owner, nil, nil)
	}
	return err
}

func (w *worker) deleteSecret(ctx context.Context, s *corev1.Secret) error {
	err := w.secrets().Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(s.UID))})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsConflict(err):
		return live.ErrConflict
	case err != nil:
		return fmt.Errorf("delete what was last applied: %s", reasonOf(err))
	}
	return nil
}

// listSecrets lists the Secrets of a PublishedResource.
func (w *worker) listSecrets(ctx context.Context, controller string) ([]corev1.Secret, error) {
	list, err := w.secrets().List(ctx, metav1.ListOptions{LabelSelector: lastapplied.Label + "=true"})
	if err != nil {
		return nil, fmt.Errorf("list what was last applied: %w", err)
	}
	return slices.DeleteFunc(list.Items, func(s corev1.Secret) bool {
		by, _ := lastapplied.OwnerOf(&s)
		return by != controller
	}), nil
}

// collectGarbage deletes what was last applied for primaries of which nothing is left.
func (p *pass) collectGarbage(ctx context.Context) error {
	secrets, err := p.worker.listSecrets(ctx, p.prepared.rule.Controller())
	for i := range secrets {
		_, primary := lastapplied.OwnerOf(&secrets[i])
		gone, err := p.isGone(ctx, primary)
		if err == nil && gone {
			err = p.worker.deleteSecret(ctx, &secrets[i])
		}
		if err != nil && ctx.Err() == nil {
			p.options.Log.Info("what was last applied cannot be deleted", "publishedresource", p.worker.name, "reason", live.OneLine(err.Error()))
		}
	}
	return err
}

// isGone reports whether neither a primary nor a copy of it exists.
func (p *pass) isGone(ctx context.Context, key string) (bool, error) {
	c := p.cacheOf(key)
	if c == nil || c.Get(keyOf(refOf(key))) != nil || p.hasCopies(relevance.ByOwner, key) {
		return false, nil
	}
	o, err := c.Server.Find(ctx, p.prepared.remote, keyOf(refOf(key)))
	return o == nil, err
}
