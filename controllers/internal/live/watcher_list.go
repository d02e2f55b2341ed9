package live

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ErrNotServed means that the API server does not know the resource.
var ErrNotServed = errors.New("the kind is not served here in this version; it is looked for now and then")

// list tells the handler of all objects, and returns the version from which to watch. A server that answers "not
// served" is believed only if it is ready and answers so a second time: one that starts does not know all kinds yet.
func (w *Watcher) list(ctx context.Context) (string, error) {
	kind, version, err := w.listOnce(ctx)
	if errors.Is(err, ErrNotServed) {
		if err := w.server.Ready(ctx); err != nil {
			return "", err
		}
		kind, version, err = w.listOnce(ctx)
	}
	if errors.Is(err, ErrNotServed) {
		w.handler.Synced("", "")
		w.keepOnly(nil)
	}
	if err == nil {
		w.handler.Synced(kind, version)
	}
	return version, err
}

func (w *Watcher) listOnce(ctx context.Context) (kind, version string, err error) {
	gvk, err := w.server.Mapper().KindFor(w.resource)
	if meta.IsNoMatchError(err) {
		return "", "", ErrNotServed
	}
	if err != nil {
		return "", "", fmt.Errorf("ask for the kind: %w", err)
	}
	there := map[[2]string]struct{}{}
	for o := (metav1.ListOptions{Limit: pageSize}); ; {
		found, err := w.objects.List(ctx, o)
		if apierrors.IsNotFound(err) {
			w.server.ResetMapper() // it still knows the kind
			return "", "", ErrNotServed
		}
		if err != nil {
			return "", "", fmt.Errorf("list: %w", err)
		}
		for i := range found.Items {
			there[nameOf(&found.Items[i])] = struct{}{}
			w.put(&found.Items[i])
		}
		if o.Continue = found.GetContinue(); o.Continue == "" {
			w.keepOnly(there)
			return gvk.Kind, found.GetResourceVersion(), nil
		}
	}
}

func nameOf(obj *unstructured.Unstructured) [2]string {
	return [2]string{obj.GetNamespace(), obj.GetName()}
}

func (w *Watcher) put(obj *unstructured.Unstructured) {
	w.known[nameOf(obj)] = struct{}{}
	w.handler.Put(obj)
}

func (w *Watcher) remove(at [2]string) {
	delete(w.known, at)
	w.handler.Delete(at[0], at[1])
}

// keepOnly removes the objects that are not listed.
func (w *Watcher) keepOnly(there map[[2]string]struct{}) {
	for at := range w.known {
		if _, is := there[at]; !is {
			w.remove(at)
		}
	}
}
