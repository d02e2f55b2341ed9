package combinedstatus

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// search looks, once, for kinds that no Binding asks about and whose objects have a status that was returned
// before: nobody was there when it should have gone. Such kinds are followed until nothing is left of it.
// It asks for each kind one question, or two, a few at a time; which kinds there are is asked for once more
// while that is not known of all API groups, what failed is asked again, and all else is not.
type search struct {
	*server
	world   *world
	options Options
	log     logr.Logger
	done    map[question]bool
}

// question is whether an object of a kind has a label.
type question struct {
	schema.GroupVersionResource
	label string
}

func newSearch(home *server, w *world, o Options) *search {
	return &search{server: home, world: w, options: o, log: o.Log.WithValues("server", home.name), done: map[question]bool{}}
}

// run looks, from when the world is whole, until all is answered or ctx ends.
func (s *search) run(ctx context.Context) {
	select {
	case <-s.world.begun:
	case <-ctx.Done():
		return
	}
	last := ""
	for pause := s.options.FirstRetry; ; pause = min(2*pause, s.options.LastRetry) {
		err := s.look(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		if text := err.Error(); text != last {
			s.log.Info("not all kinds are searched for statuses that no Binding asks for; it is tried again", "reason", text)
			last = text
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// look asks all that is not answered yet.
func (s *search) look(ctx context.Context) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	served, incomplete := discovery.ServerPreferredResourcesWithContext(ctx, discovery.ToDiscoveryInterfaceWithContext(s.probe))
	open := s.open(served)
	errs := make([]error, len(open))
	var all sync.WaitGroup
	next := make(chan int)
	const together = 4
	for range together {
		all.Go(func() {
			for i := range next {
				errs[i] = s.ask(ctx, open[i])
			}
		})
	}
	for i := range open {
		next <- i
	}
	close(next)
	all.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return fmt.Errorf("%s, and perhaps others: %w", open[i].GroupResource(), errs[i])
	}
	return incomplete
}

// open are the questions that are not answered, in order: about kinds that can be followed and changed.
func (s *search) open(served []*metav1.APIResourceList) (out []question) {
	for _, list := range served {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // there are no requests about it
		}
		for _, r := range list.APIResources {
			if !able(r.Verbs, "list", "watch", "patch") || s.world.follows(schema.GroupResource{Group: gv.Group, Resource: r.Name}) {
				continue
			}
			labels := []string{writeback.SingletonLabel}
			if writeback.Aggregates(gv.Group, r.Kind) {
				labels = append(labels, writeback.MultiLabel)
			}
			for _, label := range labels {
				if q := (question{gv.WithResource(r.Name), label}); !s.answered(q) {
					out = append(out, q)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b question) int { return cmp.Compare(a.String()+a.label, b.String()+b.label) })
	return out
}

func able(verbs metav1.Verbs, wanted ...string) bool {
	return !slices.ContainsFunc(wanted, func(v string) bool { return !slices.Contains(verbs, v) })
}

func (s *search) answered(q question) bool {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	return s.done[q]
}

// ask asks one question, and has the kind followed when the answer is yes. Kinds that we may not look at are
// passed over.
func (s *search) ask(ctx context.Context, q question) error {
	found, err := s.heads.Resource(q.GroupVersionResource).List(ctx, metav1.ListOptions{LabelSelector: q.label, Limit: 1})
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
		s.log.V(1).Info("not searched for statuses that no Binding asks for", "resource", q.GroupResource().String(), "reason", err.Error())
		found, err = nil, nil
	}
	if err != nil {
		return err
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.done[q] = true
	if found != nil && len(found.Items) > 0 {
		s.log.Info("there are statuses that no Binding asks for; they are deleted", "resource", q.GroupResource().String())
		s.world.ask([]engine.Resource{{Group: q.Group, Version: q.Version, Plural: q.Resource}})
	}
	return nil
}
