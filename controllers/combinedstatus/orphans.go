package combinedstatus

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/util/workqueue"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// orphanSearch looks, once, for returned statuses in kinds that no Binding names any more: no controller ran when they should
// have been removed. Such kinds are watched until all are removed. It sends one query for each kind (two for some), a few at
// a time. While discovery of an API group or a query fails, it repeats both, but not the queries with an answer.
type orphanSearch struct {
	server  *server
	state   *state
	options Options
	log     logr.Logger
	done    map[query]bool // guarded by the state's mutex
}

// query asks whether any object of a kind has a label.
type query struct {
	schema.GroupVersionResource
	label string
}

func newOrphanSearch(home *server, s *state, o Options) *orphanSearch {
	return &orphanSearch{server: home, state: s, options: o, log: o.Log.WithValues("server", home.Name), done: map[query]bool{}}
}

// run searches after the state has synced, until all queries have answers or ctx ends.
func (s *orphanSearch) run(ctx context.Context) {
	select {
	case <-s.state.synced:
	case <-ctx.Done():
		return
	}
	last := ""
	pause := live.Backoff{First: s.options.FirstRetry, Last: s.options.LastRetry}
	for {
		err := s.searchOnce(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		if text := err.Error(); text != last {
			s.log.Info("not all kinds are searched for statuses that no Binding requests; the controller retries", "reason", text)
			last = text
		}
		if !live.Sleep(ctx, pause.Next()) {
			return
		}
	}
}

// searchOnce sends all queries without an answer.
func (s *orphanSearch) searchOnce(ctx context.Context) error {
	if err := s.server.Ready(ctx); err != nil {
		return err
	}
	served, incomplete := discovery.ServerPreferredResourcesWithContext(ctx, discovery.ToDiscoveryInterfaceWithContext(s.server.Discovery))
	queries := s.openQueries(served)
	errs := make([]error, len(queries))
	const parallel = 4
	workqueue.ParallelizeUntil(ctx, parallel, len(queries), func(i int) { errs[i] = s.send(ctx, queries[i]) })
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return fmt.Errorf("%s, and perhaps others: %w", queries[i].GroupResource(), errs[i])
	}
	return incomplete
}

// openQueries are the queries without an answer, in order: about kinds that can be watched and changed.
func (s *orphanSearch) openQueries(served []*metav1.APIResourceList) (out []query) {
	for _, list := range served {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // it has no URL
		}
		for _, r := range list.APIResources {
			if !supports(r, "list", "watch", "patch") || s.state.watches(schema.GroupResource{Group: gv.Group, Resource: r.Name}) {
				continue
			}
			labels := []string{writeback.SingletonLabel}
			if writeback.Aggregates(gv.Group, r.Kind) {
				labels = append(labels, writeback.MultiLabel)
			}
			for _, label := range labels {
				out = append(out, query{gv.WithResource(r.Name), label})
			}
		}
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	out = slices.DeleteFunc(out, func(q query) bool { return s.done[q] })
	slices.SortFunc(out, func(a, b query) int { return cmp.Compare(a.String()+a.label, b.String()+b.label) })
	return out
}

func supports(r metav1.APIResource, verbs ...string) bool {
	return !slices.ContainsFunc(verbs, func(v string) bool { return !slices.Contains(r.Verbs, v) })
}

// send sends a query, and starts a watch of the kind if an object has the label. Kinds that the controller may not list are
// skipped.
func (s *orphanSearch) send(ctx context.Context, q query) error {
	found, err := s.server.metadata.Resource(q.GroupVersionResource).List(ctx, metav1.ListOptions{LabelSelector: q.label, Limit: 1})
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
		s.log.V(1).Info("not searched for statuses that no Binding requests", "resource", q.GroupResource().String(), "reason", err.Error())
		found, err = nil, nil
	}
	if err != nil {
		return err
	}
	s.state.mu.Lock()
	defer s.state.mu.Unlock()
	s.done[q] = true
	if found != nil && len(found.Items) > 0 {
		s.log.Info("there are statuses that no Binding requests; they are deleted", "resource", q.GroupResource().String())
		s.state.watchWorkloads(q.GroupVersionResource)
	}
	return nil
}
