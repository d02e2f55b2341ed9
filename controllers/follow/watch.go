package follow

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

// follow tells of changes from a version on, for as long as that can be done without another list.
// The error says that it may not be done at all.
func (f *Follower) follow(ctx context.Context, version string) error {
	const shortest = time.Second // a watch that ends sooner is none
	for ctx.Err() == nil {
		began := time.Now()
		events, err := f.objects.Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
		switch {
		case apierrors.IsForbidden(err):
			return fmt.Errorf("watch: %w", err)
		case err != nil:
			return nil
		}
		version, err = f.take(events, version)
		if err != nil || time.Since(began) < shortest {
			return nil
		}
	}
	return nil
}

var errBroken = errors.New("the watch is broken")

// take takes the events of one watch, up to its regular end.
func (f *Follower) take(events watch.Interface, version string) (string, error) {
	defer events.Stop()
	for event := range events.ResultChan() {
		obj, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			return version, errBroken
		}
		version = obj.GetResourceVersion()
		switch event.Type {
		case watch.Added, watch.Modified:
			f.put(obj)
		case watch.Deleted:
			f.drop(nameOf(obj))
		}
	}
	return version, nil
}
