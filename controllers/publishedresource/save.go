package publishedresource

import (
	"context"
	"errors"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// save stores what was last applied, if it changed.
func (l *primary) save(ctx context.Context) error {
	state := l.applied
	if !state.changed {
		return nil
	}
	stored, remembered := state.stored()
	next := l.newSecret(stored)
	var made *unstructured.Unstructured
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(next)
	if err != nil {
		return errors.New("what was last applied has no form")
	}
	u := &unstructured.Unstructured{Object: object}
	if state.secret == nil {
		made, err = l.pass.worker.secrets().Create(ctx, u, metav1.CreateOptions{FieldManager: live.FieldManager})
	} else {
		made, err = l.pass.worker.secrets().Update(ctx, u, metav1.UpdateOptions{FieldManager: live.FieldManager})
	}
	switch {
	case apierrors.IsAlreadyExists(err), apierrors.IsConflict(err), apierrors.IsNotFound(err) && state.secret != nil:
		return live.ErrConflict
	case err != nil:
		return fmt.Errorf("store what was applied in the namespace %s: %s", l.pass.options.StateNamespace, reasonOf(err))
	}
	if state.secret, err = secretOf(made); err != nil {
		return errors.New("what was last applied cannot be read back")
	}
	state.changed = false
	l.pass.memory.mu.Lock()
	defer l.pass.memory.mu.Unlock()
	delete(l.pass.memory.states, state.name)
	if len(remembered) > 0 {
		l.pass.memory.states[state.name] = remembered
	}
	return nil
}

// newSecret is the Secret as it is to be.
func (l *primary) newSecret(data map[string][]byte) *corev1.Secret {
	s := &corev1.Secret{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}}
	if l.applied.secret != nil {
		s = l.applied.secret.DeepCopy()
		s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}
	}
	s.Name, s.Namespace, s.Data, s.Type = l.applied.name, l.pass.options.StateNamespace, data, corev1.SecretTypeOpaque
	if s.Labels == nil {
		s.Labels = map[string]string{}
	}
	if s.Annotations == nil {
		s.Annotations = map[string]string{}
	}
	maps.Copy(s.Labels, map[string]string{stateLabel: "true", clusterLabel: l.server.Name, nameHashLabel: hashOf(l.id.Name)})
	if l.id.Namespace != "" {
		s.Labels[namespaceHashLabel] = hashOf(l.id.Namespace)
	}
	if l.pass.options.Agent != "" {
		s.Labels[agentLabel] = l.pass.options.Agent
	}
	maps.Copy(s.Annotations, map[string]string{ownerAnnotation: l.key, controllerAnnotation: l.prepared.rule.Controller()})
	return s
}

// deleteState deletes what was last applied, once nothing is left that it was applied to.
func (l *primary) deleteState(ctx context.Context) error {
	l.pass.memory.mu.Lock()
	delete(l.pass.memory.states, l.applied.name)
	l.pass.memory.mu.Unlock()
	if l.applied.secret == nil {
		return nil
	}
	err := deleteSecret(ctx, l.pass.worker, l.applied.secret)
	if err == nil {
		l.applied.secret, l.applied.entries, l.applied.changed = nil, map[string][]byte{}, false
	}
	return err
}

func deleteSecret(ctx context.Context, w *worker, s *corev1.Secret) error {
	uid := s.UID
	err := w.secrets().Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
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

// collectGarbage deletes what was last applied for primaries of which nothing is left.
func (p *pass) collectGarbage(ctx context.Context) error {
	list, err := p.worker.secrets().List(ctx, metav1.ListOptions{LabelSelector: stateLabel + "=true"})
	if err != nil {
		return fmt.Errorf("list what was last applied: %w", err)
	}
	for i := range list.Items {
		s, err := secretOf(&list.Items[i])
		if err != nil || s.Annotations[controllerAnnotation] != p.prepared.rule.Controller() {
			continue
		}
		left, err := p.isLeft(ctx, s.Annotations[ownerAnnotation])
		if err == nil && !left {
			err = deleteSecret(ctx, p.worker, s)
		}
		if err != nil && ctx.Err() == nil {
			p.options.Log.Info("what was last applied cannot be tidied up", "publishedresource", p.worker.name, "reason", live.OneLine(err.Error()))
		}
	}
	return nil
}

// isLeft reports whether something may be left of a primary, or of its copies.
func (p *pass) isLeft(ctx context.Context, key string) (bool, error) {
	c, where := p.cacheOf(key)
	if c == nil || c.Get(where) != nil || p.hasCopies(key) {
		return true, nil
	}
	o, err := c.Server.Find(ctx, p.prepared.remote, where)
	return o != nil, err
}

// deleteSecrets deletes all that was last applied by a PublishedResource.
func (w *worker) deleteSecrets(ctx context.Context, controller string) error {
	list, err := w.secrets().List(ctx, metav1.ListOptions{LabelSelector: stateLabel + "=true"})
	if err != nil {
		return fmt.Errorf("list what was last applied: %w", err)
	}
	for i := range list.Items {
		s, err := secretOf(&list.Items[i])
		if err != nil || s.Annotations[controllerAnnotation] != controller {
			continue
		}
		if err := deleteSecret(ctx, w, s); err != nil {
			return err
		}
	}
	return nil
}
