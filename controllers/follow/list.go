package follow

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ErrNotServed says that the API server does not know the resource.
var ErrNotServed = errors.New("the kind is not served here in this version; it is looked for now and then")

// list tells of all objects there are, and returns the version from which to follow. That the resource is
// not served counts only from an API server that is ready: what it then says once more.
func (f *Follower) list(ctx context.Context) (string, error) {
	kind, version, err := f.listOnce(ctx)
	if errors.Is(err, ErrNotServed) {
		if err := f.server.Ready(ctx); err != nil {
			return "", err
		}
		kind, version, err = f.listOnce(ctx)
	}
	if errors.Is(err, ErrNotServed) {
		f.tell.Served("", "")
		f.keep(nil)
	}
	if err == nil {
		f.tell.Served(kind, version)
	}
	return version, err
}

func (f *Follower) listOnce(ctx context.Context) (kind, version string, err error) {
	gvk, err := f.server.Mapper.KindFor(f.resource)
	if meta.IsNoMatchError(err) {
		return "", "", ErrNotServed
	}
	if err != nil {
		return "", "", fmt.Errorf("ask for the kind: %w", err)
	}
	there := map[[2]string]struct{}{}
	const page = 500
	for o := (metav1.ListOptions{Limit: page}); ; {
		found, err := f.objects.List(ctx, o)
		if apierrors.IsNotFound(err) {
			forget(f.server.Mapper) // which said that there is such a kind
			return "", "", ErrNotServed
		}
		if err != nil {
			return "", "", fmt.Errorf("list: %w", err)
		}
		for i := range found.Items {
			there[nameOf(&found.Items[i])] = struct{}{}
			f.put(&found.Items[i])
		}
		if o.Continue = found.GetContinue(); o.Continue == "" {
			f.keep(there)
			return gvk.Kind, found.GetResourceVersion(), nil
		}
	}
}

func nameOf(obj *unstructured.Unstructured) [2]string {
	return [2]string{obj.GetNamespace(), obj.GetName()}
}

func (f *Follower) put(obj *unstructured.Unstructured) {
	f.known[nameOf(obj)] = struct{}{}
	f.tell.Put(obj)
}

func (f *Follower) drop(at [2]string) {
	delete(f.known, at)
	f.tell.Drop(at[0], at[1])
}

// keep drops the objects that are not there.
func (f *Follower) keep(there map[[2]string]struct{}) {
	for at := range f.known {
		if _, is := there[at]; !is {
			f.drop(at)
		}
	}
}
