package publishedresource

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/lastapplied"
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
	gone     bool
	applied  *lastapplied.State
	blocking map[applyset.Ref]*live.Cache // objects that exist where a copy is to be created
	changed  bool                         // by an operation
	// oldTypes are the types of copies that no entry names any more.
	oldTypes map[roleKey]live.Resource
}

// newPrimary reads what is known about a primary besides objects.
func (p *pass) newPrimary(ctx context.Context, key string) (*primary, error) {
	ref := refOf(key)
	l := &primary{pass: p, prepared: p.prepared, key: key, ref: ref, server: p.worker.controller.server(ref.Place), gone: p.gone.Has(key),
		blocking: map[applyset.Ref]*live.Cache{}, oldTypes: map[roleKey]live.Resource{}}
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

// snapshot is what is relevant to one primary.
type snapshot struct {
	items  []*krm.Object
	places map[*krm.Object]apisync.Place
	seen   map[applyset.Ref]bool
}

func (s *snapshot) add(server string, objects ...*krm.Object) {
	for _, o := range objects {
		if o == nil {
			continue
		}
		if ref := (applyset.Ref{Place: server, ID: o.ID()}); !s.seen[ref] {
			s.seen[ref] = true
			s.items, s.places[o] = append(s.items, o), placeOf(server)
		}
	}
}

// snapshot reads what is relevant to the primary from the caches.
func (l *primary) snapshot(ctx context.Context) (*snapshot, error) {
	s := &snapshot{places: map[*krm.Object]apisync.Place{}, seen: map[applyset.Ref]bool{}}
	s.add(l.server.Name, l.source())
	copies := l.copies().ByIndex(byOwner, l.key)
	s.add("", copies...)
	s.add("", l.copies().ByIndex(byMapKey, applyset.MapKey(l.key))...)
	for _, rel := range l.prepared.related {
		l.addRelated(s, rel, copies)
	}
	l.addNamespaces(s)
	for ref, c := range l.blocking {
		s.add(ref.Place, c.Get(keyOf(ref)))
	}
	return s, l.addOldCopies(ctx, s)
}

// addNamespaces adds the namespaces that selectors select from, and that of the primary for the filter.
func (l *primary) addNamespaces(s *snapshot) {
	for _, server := range []string{l.server.Name, ""} {
		c := l.prepared.cache(server, namespaces)
		switch {
		case c == nil:
		case l.prepared.selectsNamespaces[server != ""]:
			s.add(server, c.List()...)
		default:
			s.add(server, c.Get(live.Key{Name: l.ref.Namespace}))
		}
	}
}

// addRelated adds what may belong to the primary by an entry, and its copies.
func (l *primary) addRelated(s *snapshot, rel relation, copies []*krm.Object) {
	from, to, spaces := l.server.Name, "", []string{l.ref.Namespace}
	if !rel.FromSource {
		from, to, spaces = to, from, nil
		for _, o := range copies {
			spaces = append(spaces, o.Namespace())
		}
	}
	s.add(to, l.prepared.cache(to, rel.copied).ByIndex(byOwner, l.key)...)
	origins := l.prepared.cache(from, rel.origin)
	if rel.Anywhere {
		l.addOrigins(s, from, origins.List())
		return
	}
	for _, space := range spaces {
		l.addOrigins(s, from, origins.ByIndex(byNamespace, space))
	}
}

// addOrigins adds what may be an origin: no copy, no other primary, and no Secret that holds what was last applied.
func (l *primary) addOrigins(s *snapshot, server string, objects []*krm.Object) {
	for _, o := range objects {
		isOther := server != "" && o.Is(l.prepared.remoteGK.Group, l.prepared.remoteGK.Kind)
		isState := server == "" && o.Is("", "Secret") && o.Namespace() == l.pass.options.StateNamespace
		if applyset.TagsOf(o).Controller != l.prepared.rule.Controller() && !isOther && !isState {
			s.add(server, o)
		}
	}
}

// addOldCopies adds the copies that are known from what was last applied: those that lost their tags, and those of a type
// that no entry names any more.
func (l *primary) addOldCopies(ctx context.Context, s *snapshot) error {
	for _, known := range l.applied.Copies() {
		on := l.pass.worker.controller.home
		if known.AtSource {
			on = l.server
		}
		ref := applyset.Ref{Place: on.Name, ID: known.ID}
		if c := l.prepared.cacheFor(ref); c != nil {
			s.add(on.Name, c.Get(keyOf(ref)))
			continue
		}
		o, k, err := on.read(ctx, known)
		if err != nil {
			return err
		}
		if o != nil && applyset.TagsOf(o).Owner == l.key {
			s.add(on.Name, o)
			l.oldTypes[roleOf(ref)] = k
		}
	}
	return nil
}

// read asks for a copy; nil where it, or its type, does not exist.
func (s *server) read(ctx context.Context, of lastapplied.Copy) (*krm.Object, live.Resource, error) {
	m, err := s.Mapper().RESTMapping(of.GroupKind(), of.Version)
	if meta.IsNoMatchError(err) {
		return nil, live.Resource{}, nil
	}
	if err != nil {
		return nil, live.Resource{}, err
	}
	k := live.Resource{GroupVersionResource: m.Resource, Namespaced: m.Scope.Name() == meta.RESTScopeNameNamespace}
	u, err := s.Client(k, of.Namespace).Get(ctx, of.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, k, nil
	}
	if err != nil {
		return nil, k, err
	}
	o, err := live.FromUnstructured(u)
	return o, k, err
}

// plan plans the next round. Objects that exist where a copy is to be created are relevant, too.
func (l *primary) plan(ctx context.Context) (*apisync.Round, error) {
	const maxAttempts = 5
	for n := 0; ; n++ {
		s, err := l.snapshot(ctx)
		if err != nil {
			return nil, err
		}
		r, err := l.prepared.rule.Round(ctx, apisync.Snapshot{
			Items: s.items, Live: true, LastKnown: l.applied.LastKnown,
			Place:         func(o *krm.Object) apisync.Place { return s.places[o] },
			WorkspacePath: func(string) string { return l.server.path },
			Gone:          func(key string) bool { return l.gone && key == l.key },
			AppliedCopies: l.appliedCopies,
			FilterSelects: l.pass.filterSelects,
			NoStatusBack:  !l.pass.hasStatus(l.server, l.prepared.remote),

			SystemNamespaces: append([]string{l.pass.options.StateNamespace}, l.pass.options.SystemNamespaces...),
		})
		if err != nil || n == maxAttempts || !l.addBlocking(r, s) {
			return r, err
		}
	}
}

// appliedCopies are the copies of the primary that are known from what was last applied.
func (l *primary) appliedCopies(key string) (ids []krm.ID) {
	for _, known := range l.applied.Copies() {
		if key == l.key && !known.AtSource && known.GroupKind() == l.prepared.localGK {
			ids = append(ids, known.ID)
		}
	}
	return ids
}

// addBlocking notes objects that exist where a round creates a copy, and that it did not see; false where there are none.
func (l *primary) addBlocking(r *apisync.Round, s *snapshot) (more bool) {
	for _, op := range r.Operations {
		if op.Action == applyset.ActionCreate && l.prepared.get(op.Ref) != nil && !s.seen[op.Ref] {
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
	addCopies := func(c *live.Cache) {
		if c == nil {
			return
		}
		for _, o := range c.ByIndex(byOwner, l.key) {
			keys = append(keys, applyset.KeyIn(c.Server.Name, o.ID()))
		}
	}
	addCopies(l.copies())
	for _, rel := range l.prepared.related {
		addCopies(l.prepared.cache("", rel.copied))
		addCopies(l.prepared.cache(l.server.Name, rel.copied))
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
