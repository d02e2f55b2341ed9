package mapping

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// dismiss lets a MapController go: nobody would take its finalizer from parents any more. Outputs stay, and
// no hook is asked.
func (w *worker) dismiss(ctx context.Context, o *krm.Object) error {
	if !has(o, keeper) {
		return nil
	}
	k, is, err := w.parentKind(o)
	if err != nil {
		return err
	}
	namespaces := w.options.Namespaces
	if !k.namespaced || len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		if !is {
			break
		}
		if err := w.unbind(ctx, k, namespace); err != nil {
			return err
		}
	}
	return w.keep(ctx, o, false)
}

// parentKind is the type of the parents of a MapController; false when there is none.
func (w *worker) parentKind(o *krm.Object) (kind, bool, error) {
	var decoded waybill.MapController
	if o.Decode(&decoded) != nil {
		return kind{}, false, nil
	}
	t := decoded.Spec.ParentResource
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	if err != nil {
		return kind{}, false, nil
	}
	gvk := gv.WithKind(t.Kind)
	if t.Kind == "" {
		gvk, err = w.server.Mapper.KindFor(gv.WithResource(t.Resource))
	}
	var found *meta.RESTMapping
	if err == nil {
		found, err = w.server.Mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	}
	switch {
	case meta.IsNoMatchError(err):
		return kind{}, false, nil
	case err != nil:
		return kind{}, false, err
	}
	return kind{found.Resource, found.Scope.Name() == meta.RESTScopeNameNamespace}, true, nil
}

// unbind takes the controller's finalizer from all parents of a namespace, or from all. One that refuses does
// not keep others: the error is the first.
func (w *worker) unbind(ctx context.Context, k kind, namespace string) (first error) {
	for o := (metav1.ListOptions{Limit: 500}); ; {
		list, err := w.resource(k, namespace).List(ctx, o)
		if apierrors.IsNotFound(err) {
			return first
		}
		if err != nil {
			return fmt.Errorf("list the parents: %w", err)
		}
		for i := range list.Items {
			parent, err := objectOf(&list.Items[i])
			if mine := waybill.Group + "/" + w.name; err == nil && has(parent, mine) {
				_, err = refinalize(ctx, w.resource(k, parent.Namespace()), parent, mine, false)
			}
			if err != nil && first == nil {
				first = fmt.Errorf("take the finalizer from %s: %w", parent.ID(), err)
			}
		}
		if o.Continue = list.GetContinue(); o.Continue == "" {
			return first
		}
	}
}
