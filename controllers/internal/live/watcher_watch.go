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
)

// watch tells the handler of changes from a version on, for as long as that needs no new list.
// It returns an error only where the API server forbids the watch.
func (w *Watcher) watch(ctx context.Context, version string) error {
	const shortest = time.Second // a watch that ends sooner is none
	for ctx.Err() == nil {
		began := time.Now()
		events, err := w.objects.Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
		switch {
		case apierrors.IsForbidden(err):
			return fmt.Errorf("watch: %w", err)
		case err != nil:
			return nil
		}
		version, err = w.consume(events, version)
		if err != nil || time.Since(began) < shortest {
			return nil
		}
	}
	return nil
}

var errBroken = errors.New("the watch is broken")

// consume reads the events of one watch up to its regular end.
func (w *Watcher) consume(events watch.Interface, version string) (string, error) {
	defer events.Stop()
	for event := range events.ResultChan() {
		obj, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			return version, errBroken
		}
		version = obj.GetResourceVersion()
		switch event.Type {
		case watch.Added, watch.Modified:
			w.put(obj)
		case watch.Deleted:
			w.remove(nameOf(obj))
		}
	}
	return version, nil
}
