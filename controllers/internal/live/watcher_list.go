package live

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrNotServed means that the API server does not know the resource.
var ErrNotServed = errors.New("the API server does not serve the kind in this version; the controller checks again from time to time")

// list passes all objects to the handler, and returns the version from which to watch. "Not served" counts only from a server
// that is ready and answers so a second time: one that starts does not know all kinds yet.
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
		return "", "", fmt.Errorf("look up the kind: %w", err)
	}
	listed := sets.New[Key]()
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
			listed.Insert(w.put(&found.Items[i]))
		}
		if o.Continue = found.GetContinue(); o.Continue == "" {
			w.keepOnly(listed)
			return gvk.Kind, found.GetResourceVersion(), nil
		}
	}
}

func (w *Watcher) put(obj *unstructured.Unstructured) Key {
	key := client.ObjectKeyFromObject(obj)
	w.known.Insert(key)
	w.handler.Put(obj)
	return key
}

func (w *Watcher) remove(key Key) {
	w.known.Delete(key)
	w.handler.Delete(key.Namespace, key.Name)
}

// keepOnly removes the objects that are not listed.
func (w *Watcher) keepOnly(listed sets.Set[Key]) {
	for key := range w.known.Difference(listed) {
		w.remove(key)
	}
}
