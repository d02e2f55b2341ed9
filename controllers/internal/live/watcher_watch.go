package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// watch passes changes to the handler, as WatchFrom does.
func (w *Watcher) watch(ctx context.Context, version string) error {
	return WatchFrom(ctx, w.objects, version, func(event watch.EventType, obj *unstructured.Unstructured) error {
		if event == watch.Deleted {
			w.remove(client.ObjectKeyFromObject(obj))
		} else {
			w.put(obj)
		}
		return nil
	})
}

// WatchFrom calls handle for objects that are added, modified and deleted from a version on, for as long as that needs no
// new list and handle returns no error. It returns an error only where the API server forbids the watch.
func WatchFrom(ctx context.Context, objects dynamic.ResourceInterface, version string,
	handle func(event watch.EventType, obj *unstructured.Unstructured) error) error {
	const shortest = time.Second // of a watch that counts as one
	for ctx.Err() == nil {
		began := time.Now()
		events, err := objects.Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
		switch {
		case apierrors.IsForbidden(err):
			return fmt.Errorf("watch: %w", err)
		case err != nil:
			return nil
		}
		version, err = consume(events, version, handle)
		if err != nil || time.Since(began) < shortest {
			return nil
		}
	}
	return nil
}

var errBroken = errors.New("the watch is broken")

// consume reads the events of one watch up to its regular end.
func consume(events watch.Interface, version string, handle func(watch.EventType, *unstructured.Unstructured) error) (string, error) {
	defer events.Stop()
	for event := range events.ResultChan() {
		obj, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			return version, errBroken
		}
		version = obj.GetResourceVersion()
		if event.Type == watch.Bookmark {
			continue
		}
		if err := handle(event.Type, obj); err != nil {
			return version, err
		}
	}
	return version, nil
}
