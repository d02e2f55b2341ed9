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
func (p *primary) source() *krm.Object { return p.prepared.get(p.ref) }

// copies is the cache of copies of primaries.
func (p *primary) copies() *live.Cache { return p.prepared.cache("", p.prepared.local) }

// collect reads what is relevant to the primary from the caches.
func (p *primary) collect(ctx context.Context) (*apisync.Collection, error) {
	s := &apisync.Collection{}
	s.Add(p.server.Name, p.source())
	copies := p.copies().ByIndex(relevance.ByOwner, p.key)
	s.Add("", copies...)
	s.Add("", p.copies().ByIndex(relevance.ByMapKey, applyset.MapKey(p.key))...)
	for _, rel := range p.prepared.related {
		p.addRelated(s, rel, copies)
	}
	p.addNamespaces(s)
	for ref, c := range p.blocking {
		s.Add(ref.Place, c.Get(keyOf(ref)))
	}
	return s, p.addOldCopies(ctx, s)
}

// addNamespaces adds the namespaces that selectors select from, and that of the primary for the filter.
func (p *primary) addNamespaces(s *apisync.Collection) {
	for _, server := range []string{p.server.Name, ""} {
		c := p.prepared.cache(server, namespaces)
		switch {
		case c == nil:
		case p.prepared.rule.SelectsNamespaces(server != ""):
			s.Add(server, c.List()...)
		default:
			s.Add(server, c.Get(live.Key{Name: p.ref.Namespace}))
		}
	}
}

// addRelated adds what may belong to the primary by an entry, and its copies.
func (p *primary) addRelated(s *apisync.Collection, rel relation, copies []*krm.Object) {
	from, to, spaces := p.server.Name, "", []string{p.ref.Namespace}
	if !rel.FromSource {
		from, to, spaces = to, from, nil
		for _, o := range copies {
			spaces = append(spaces, o.Namespace())
		}
	}
	s.Add(to, p.prepared.cache(to, rel.copied).ByIndex(relevance.ByOwner, p.key)...)
	origins := p.prepared.cache(from, rel.origin)
	if rel.Anywhere {
		p.addOrigins(s, from, origins.List())
		return
	}
	for _, space := range spaces {
		p.addOrigins(s, from, origins.ByIndex(relevance.ByNamespace, space))
	}
}

// addOrigins adds what may be an origin: no copy, no other primary, and no Secret that holds what was last applied.
func (p *primary) addOrigins(s *apisync.Collection, server string, objects []*krm.Object) {
	for _, o := range objects {
		isOther := server != "" && o.Is(p.prepared.remoteGK.Group, p.prepared.remoteGK.Kind)
		isState := server == "" && o.Is("", "Secret") && o.Namespace() == p.pass.options.StateNamespace
		if applyset.TagsOf(o).Controller != p.prepared.rule.Controller() && !isOther && !isState {
			s.Add(server, o)
		}
	}
}

// addOldCopies adds the copies that are known from what was last applied: those that lost their tags, and those of a type
// that no entry names any more.
func (p *primary) addOldCopies(ctx context.Context, s *apisync.Collection) error {
	for _, known := range p.applied.Copies() {
		on := p.pass.worker.controller.home
		if known.AtSource {
			on = p.server
		}
		ref := applyset.Ref{Place: on.Name, ID: known.ID}
		if c := p.prepared.cacheFor(ref); c != nil {
			s.Add(on.Name, c.Get(keyOf(ref)))
			continue
		}
		o, k, err := on.read(ctx, known)
		if err != nil {
			return err
		}
		if o != nil && applyset.TagsOf(o).Owner == p.key {
			s.Add(on.Name, o)
			p.oldTypes[apisync.RoleOf(ref)] = k
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
func (p *primary) plan(ctx context.Context) (*apisync.Round, error) {
	const maxAttempts = 5
	for n := 0; ; n++ {
		c, err := p.collect(ctx)
		if err != nil {
			return nil, err
		}
		s := c.Snapshot()
		s.LastKnown, s.AppliedCopies, s.FilterSelects = p.applied.LastKnown, p.applied.PrimaryCopies, p.pass.filterSelects
		s.WorkspacePath = func(string) string { return p.server.path }
		s.Gone = func(key string) bool { return p.pass.gone.Has(p.key) && key == p.key }
		s.NoStatusBack = !p.pass.hasStatus(p.server, p.prepared.remote)
		s.SystemNamespaces = append([]string{p.pass.options.StateNamespace}, p.pass.options.SystemNamespaces...)
		r, err := p.prepared.rule.Round(ctx, s)
		if err != nil || n == maxAttempts || !p.addBlocking(r, c) {
			return r, err
		}
	}
}

// addBlocking notes objects that exist where a round creates a copy, and that it did not see; false where there are none.
func (p *primary) addBlocking(r *apisync.Round, seen *apisync.Collection) (more bool) {
	for _, op := range r.Operations {
		if op.Action == applyset.ActionCreate && p.prepared.get(op.Ref) != nil && !seen.Has(op.Ref) {
			p.blocking[op.Ref] = p.prepared.cacheFor(op.Ref)
			more = true
		}
	}
	return more
}

// relevantKeys are the keys of all objects that are relevant to the primary after a round.
func (p *primary) relevantKeys(r *apisync.Round) []string {
	keys := r.RelevantKeys()
	for ref := range p.blocking {
		keys = append(keys, ref.String())
	}
	caches := []*live.Cache{p.copies()}
	for _, rel := range p.prepared.related {
		caches = append(caches, p.prepared.cache("", rel.copied), p.prepared.cache(p.server.Name, rel.copied))
	}
	for _, c := range caches {
		if c == nil {
			continue
		}
		for _, o := range c.ByIndex(relevance.ByOwner, p.key) {
			keys = append(keys, applyset.KeyIn(c.Server.Name, o.ID()))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
