package syncing

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
)

// save writes the ledger, if it changed.
func (l *look) save(ctx context.Context) error {
	led := l.ledger
	if !led.changed {
		return nil
	}
	stored, remembered := led.stored()
	next := l.newSecret(stored)
	var made *unstructured.Unstructured
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(next)
	if err != nil {
		return errors.New("what was last applied has no form")
	}
	u := &unstructured.Unstructured{Object: object}
	if led.secret == nil {
		made, err = l.ledgers().Create(ctx, u, metav1.CreateOptions{FieldManager: manager})
	} else {
		made, err = l.ledgers().Update(ctx, u, metav1.UpdateOptions{FieldManager: manager})
	}
	switch {
	case apierrors.IsAlreadyExists(err), apierrors.IsConflict(err), apierrors.IsNotFound(err) && led.secret != nil:
		return errFaster
	case err != nil:
		return fmt.Errorf("store what was applied in the namespace %s: %s", l.options.StateNamespace, reasonOf(err))
	}
	if led.secret, err = secretOf(made); err != nil {
		return errors.New("what was last applied cannot be read back")
	}
	led.changed = false
	l.memory.mu.Lock()
	defer l.memory.mu.Unlock()
	delete(l.memory.states, led.name)
	if len(remembered) > 0 {
		l.memory.states[led.name] = remembered
	}
	return nil
}

// newSecret is the ledger's Secret as it is to be.
func (l *look) newSecret(data map[string][]byte) *corev1.Secret {
	s := &corev1.Secret{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}}
	if l.ledger.secret != nil {
		s = l.ledger.secret.DeepCopy()
		s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}
	}
	s.Name, s.Namespace, s.Data, s.Type = l.ledger.name, l.options.StateNamespace, data, corev1.SecretTypeOpaque
	if s.Labels == nil {
		s.Labels = map[string]string{}
	}
	if s.Annotations == nil {
		s.Annotations = map[string]string{}
	}
	maps.Copy(s.Labels, map[string]string{stateLabel: "true", clusterLabel: l.at.name, nameHashLabel: hashOf(l.id.Name)})
	if l.id.Namespace != "" {
		s.Labels[namespaceHashLabel] = hashOf(l.id.Namespace)
	}
	if l.options.Agent != "" {
		s.Labels[agentLabel] = l.options.Agent
	}
	maps.Copy(s.Annotations, map[string]string{ledgerOwner: l.key, ledgerController: l.ready.rule.Controller()})
	return s
}

// discard deletes the ledger, once nothing is left that it speaks of.
func (l *look) discard(ctx context.Context) error {
	l.memory.mu.Lock()
	delete(l.memory.states, l.ledger.name)
	l.memory.mu.Unlock()
	if l.ledger.secret == nil {
		return nil
	}
	err := deleteLedger(ctx, l.worker, l.ledger.secret)
	if err == nil {
		l.ledger.secret, l.ledger.entries, l.ledger.changed = nil, map[string][]byte{}, false
	}
	return err
}

func deleteLedger(ctx context.Context, w *worker, s *corev1.Secret) error {
	uid := s.UID
	err := w.ledgers().Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsConflict(err):
		return errFaster
	case err != nil:
		return fmt.Errorf("delete what was last applied: %s", reasonOf(err))
	}
	return nil
}
