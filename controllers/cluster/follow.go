package cluster

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// run keeps a source current until ctx ends. Where objects may be listed and not watched, or not
// even listed, it looks now and then.
func (s *source) run(ctx context.Context) {
	o := s.of.options
	for pause := o.FirstRetry; ctx.Err() == nil; pause = min(2*pause, o.PollInterval) {
		began := time.Now()
		if version, err := s.list(ctx, true); err == nil {
			s.follow(ctx, version)
			s.lose()
		}
		if time.Since(began) > o.PollInterval {
			pause = o.FirstRetry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// list asks for all objects there are. An error that lasts is something to hold, too. Who lists to
// follow makes what is held current; others need not list what is.
func (s *source) list(ctx context.Context, follow bool) (version string, err error) {
	s.listing.Lock()
	defer s.listing.Unlock()
	if _, current := s.look(); current && !follow {
		return "", nil
	}
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found, err := s.listNow(ctx)
	if err != nil {
		if err = plain(err); lasting(err) {
			s.hold(contents{err: err}, follow)
		}
		return "", err
	}
	c := contents{items: make(map[string]item, len(found.Items))}
	for i := range found.Items {
		if err := c.add(&found.Items[i], s.of.read); err != nil {
			return "", err
		}
	}
	s.hold(c, follow)
	return found.GetResourceVersion(), nil
}

// listNow asks the API server. That there is nothing to be had counts only when it is ready: what it then
// says once more.
func (s *source) listNow(ctx context.Context) (*unstructured.UnstructuredList, error) {
	found, err := s.listOnce(ctx)
	if err == nil || !lasting(err) {
		return found, err
	}
	if err := s.of.ready(ctx); err != nil {
		return nil, err
	}
	return s.listOnce(ctx)
}

func (s *source) listOnce(ctx context.Context) (*unstructured.UnstructuredList, error) {
	objects, err := s.resource()
	if err != nil {
		return nil, err
	}
	return objects.List(ctx, metav1.ListOptions{})
}

// resource is where the API server has the objects.
func (s *source) resource() (dynamic.ResourceInterface, error) {
	gv, err := schema.ParseGroupVersion(s.at.APIVersion)
	if err != nil {
		return nil, unknown(s.at)
	}
	m, err := s.of.mapper.RESTMapping(schema.GroupKind{Group: gv.Group, Kind: s.at.Kind.Kind}, gv.Version)
	if meta.IsNoMatchError(err) {
		return nil, unknown(s.at)
	}
	if err != nil {
		return nil, err
	}
	if m.Scope.Name() == meta.RESTScopeNameNamespace {
		return s.of.objects.Resource(m.Resource).Namespace(s.at.namespace), nil
	}
	return s.of.objects.Resource(m.Resource), nil
}

// follow keeps what is held current from a version on, for as long as that can be done without
// another list.
func (s *source) follow(ctx context.Context, version string) {
	const shortest = time.Second // a watch that ends sooner is none
	for ctx.Err() == nil {
		began := time.Now()
		objects, err := s.resource()
		if err != nil {
			return
		}
		events, err := objects.Watch(ctx, metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true})
		if err != nil {
			return
		}
		version, err = s.take(events, version)
		if err != nil || time.Since(began) < shortest {
			return
		}
	}
}

var errBroken = errors.New("the watch is broken")

// take takes the events of one watch, up to its regular end.
func (s *source) take(events watch.Interface, version string) (string, error) {
	defer events.Stop()
	for event := range events.ResultChan() {
		object, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			return version, errBroken
		}
		version = object.GetResourceVersion()
		switch event.Type {
		case watch.Added, watch.Modified:
			it, err := s.of.read(object)
			if err != nil {
				return version, err
			}
			s.put(nameOf(object), it)
		case watch.Deleted:
			s.put(nameOf(object), nil)
		}
	}
	return version, nil
}
