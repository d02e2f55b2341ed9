package publishedresource

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/lastapplied"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// primary is one primary while it is reconciled.
type primary struct {
	pass     *pass
	prepared *prepared
	key      string
	ref      applyset.Ref
	server   *server // where it is
	applied  *lastapplied.State
	blocking map[applyset.Ref]*live.Cache // objects that exist where a copy is to be created
	changed  bool                         // by an operation
	next     *apisync.Round               // the next round, where it is planned already
	// oldTypes are the types of copies that no entry names any more.
	oldTypes map[apisync.Role]live.Resource
}

// newPrimary reads what is known about a primary besides objects.
func (p *pass) newPrimary(ctx context.Context, key string) (*primary, error) {
	ref := refOf(key)
	l := &primary{pass: p, prepared: p.prepared, key: key, ref: ref, server: p.worker.controller.server(ref.Place),
		blocking: map[applyset.Ref]*live.Cache{}, oldTypes: map[apisync.Role]live.Resource{}}
	if ref.Place == "" || l.server == nil {
		return nil, fmt.Errorf("%q is in no workspace", key)
	}
	var err error
	l.applied, err = p.readState(ctx, ref)
	return l, err
}

// source is the primary as it is; nil where it does not exist.
func (l *primary) source() *krm.Object { return l.prepared.get(l.ref) }

// copies is the cache of copies of primaries.
func (l *primary) copies() *live.Cache { return l.prepared.cache("", l.prepared.local) }

// collect reads what is relevant to the primary from the caches.
func (l *primary) collect(ctx context.Context) (*apisync.Collection, error) {
	s := &apisync.Collection{}
	s.Add(l.server.Name, l.source())
	copies := l.copies().ByIndex(relevance.ByOwner, l.key)
	s.Add("", copies...)
	s.Add("", l.copies().ByIndex(relevance.ByMapKey, applyset.MapKey(l.key))...)
	for _, rel := range l.prepared.related {
		l.addRelated(s, rel, copies)
	}
	l.addNamespaces(s)
	for ref, c := range l.blocking {
		s.Add(ref.Place, c.Get(keyOf(ref)))
	}
	return s, l.addOldCopies(ctx, s)
}

// addNamespaces adds the namespaces that selectors select from, and that of the primary for the filter.
func (l *primary) addNamespaces(s *apisync.Collection) {
	for _, server := range []string{l.server.Name, ""} {
		c := l.prepared.cache(server, namespaces)
		switch {
		case c == nil:
		case l.prepared.rule.SelectsNamespaces(server != ""):
			s.Add(server, c.List()...)
		default:
			s.Add(server, c.Get(live.Key{Name: l.ref.Namespace}))
		}
	}
}

// addRelated adds what may belong to the primary by an entry, and its copies.
func (l *primary) addRelated(s *apisync.Collection, rel relation, copies []*krm.Object) {
	from, to, spaces := l.server.Name, "", []string{l.ref.Namespace}
	if !rel.FromSource {
		from, to, spaces = to, from, nil
		for _, o := range copies {
			spaces = append(spaces, o.Namespace())
		}
	}
	s.Add(to, l.prepared.cache(to, rel.copied).ByIndex(relevance.ByOwner, l.key)...)
	origins := l.prepared.cache(from, rel.origin)
	if rel.Anywhere {
		l.addOrigins(s, from, origins.List())
		return
	}
	for _, space := range spaces {
		l.addOrigins(s, from, origins.ByIndex(relevance.ByNamespace, space))
	}
}

// addOrigins adds what may be an origin: no copy, no other primary, and no Secret that holds what was last applied.
func (l *primary) addOrigins(s *apisync.Collection, server string, objects []*krm.Object) {
	for _, o := range objects {
		isOther := server != "" && o.Is(l.prepared.remoteGK.Group, l.prepared.remoteGK.Kind)
		isState := server == "" && o.Is("", "Secret") && o.Namespace() == l.pass.options.StateNamespace
		if applyset.TagsOf(o).Controller != l.prepared.rule.Controller() && !isOther && !isState {
			s.Add(server, o)
		}
	}
}

// addOldCopies adds the copies that are known from what was last applied: those that lost their tags, and those of a type
// that no entry names any more.
func (l *primary) addOldCopies(ctx context.Context, s *apisync.Collection) error {
	for _, known := range l.applied.Copies() {
		on := l.pass.worker.controller.home
		if known.AtSource {
			on = l.server
		}
		ref := applyset.Ref{Place: on.Name, ID: known.ID}
		if c := l.prepared.cacheFor(ref); c != nil {
			s.Add(on.Name, c.Get(keyOf(ref)))
			continue
		}
		o, k, err := on.read(ctx, known)
		if err != nil {
			return err
		}
		if o != nil && applyset.TagsOf(o).Owner == l.key {
			s.Add(on.Name, o)
			l.oldTypes[apisync.RoleOf(ref)] = k
		}
	}
	return nil
}

// read asks for a copy; nil where it, or its type, does not exist.
func (s *server) read(ctx context.Context, of lastapplied.Copy) (*krm.Object, live.Resource, error) {
	m, err := s.Mapper().RESTMapping(of.GroupKind(), of.Version)
	switch {
	case meta.IsNoMatchError(err):
		return nil, live.Resource{}, nil
	case err != nil:
		return nil, live.Resource{}, err
	}
	k := live.Resource{GroupVersionResource: m.Resource, Namespaced: m.Scope.Name() == meta.RESTScopeNameNamespace}
	u, err := s.Client(k, of.Namespace).Get(ctx, of.Name, metav1.GetOptions{})
	if err != nil {
		return nil, k, client.IgnoreNotFound(err)
	}
	o, err := live.FromUnstructured(u)
	return o, k, err
}

// plan plans the next round. Objects that exist where a copy is to be created are relevant, too.
func (l *primary) plan(ctx context.Context) (*apisync.Round, error) {
	const maxAttempts = 5
	for n := 0; ; n++ {
		c, err := l.collect(ctx)
		if err != nil {
			return nil, err
		}
		s := c.Snapshot()
		s.LastKnown, s.AppliedCopies, s.FilterSelects = l.applied.LastKnown, l.applied.PrimaryCopies, l.pass.filterSelects
		s.WorkspacePath = func(string) string { return l.server.path }
		s.Gone = func(key string) bool { return l.pass.gone.Has(l.key) && key == l.key }
		s.NoStatusBack = !l.pass.hasStatus(l.server, l.prepared.remote)
		s.SystemNamespaces = append([]string{l.pass.options.StateNamespace}, l.pass.options.SystemNamespaces...)
		r, err := l.prepared.rule.Round(ctx, s)
		if err != nil || n == maxAttempts || !l.addBlocking(r, c) {
			return r, err
		}
	}
}

// addBlocking notes objects that exist where a round creates a copy, and that it did not see; false where there are none.
func (l *primary) addBlocking(r *apisync.Round, seen *apisync.Collection) (more bool) {
	for _, op := range r.Operations {
		if op.Action == applyset.ActionCreate && l.prepared.get(op.Ref) != nil && !seen.Has(op.Ref) {
			l.blocking[op.Ref] = l.prepared.cacheFor(op.Ref)
			more = true
		}
	}
	return more
}

// relevantKeys are the keys of all objects that are relevant to the primary after a round.
func (l *primary) relevantKeys(r *apisync.Round) []string {
	keys := r.RelevantKeys()
	for ref := range l.blocking {
		keys = append(keys, ref.String())
	}
	caches := []*live.Cache{l.copies()}
	for _, rel := range l.prepared.related {
		caches = append(caches, l.prepared.cache("", rel.copied), l.prepared.cache(l.server.Name, rel.copied))
	}
	for _, c := range caches {
		if c == nil {
			continue
		}
		for _, o := range c.ByIndex(relevance.ByOwner, l.key) {
			keys = append(keys, applyset.KeyIn(c.Server.Name, o.ID()))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
