package publishedresource

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// primary is one primary while it is reconciled.
type primary struct {
	pass     *pass
	prepared *prepared
	key      string
	id       krm.ID
	server   *server // where it is
	gone     bool
	applied  *lastApplied
	blocking map[applyset.Ref]*live.Cache // objects that exist where a copy is to be created
	changed  bool                         // by an operation
	// oldTypes are the types of copies that no entry names any more.
	oldTypes map[roleKey]live.Resource
}

// newPrimary reads what is known about a primary besides objects.
func (p *pass) newPrimary(ctx context.Context, key string) (*primary, error) {
	cluster, id, err := applyset.ParseKey(key)
	if err != nil {
		return nil, err
	}
	l := &primary{pass: p, prepared: p.prepared, key: key, id: id, server: p.worker.controller.server(cluster), gone: p.gone[key],
		blocking: map[applyset.Ref]*live.Cache{}, oldTypes: map[roleKey]live.Resource{}}
	if l.server == nil {
		return nil, fmt.Errorf("%q is no workspace", cluster)
	}
	l.applied, err = p.readLastApplied(ctx, key)
	return l, err
}

// source is the primary as it is; nil where it does not exist.
func (l *primary) source() *krm.Object {
	return l.prepared.cache(l.server.Name, l.prepared.remote).Get(live.Key{Namespace: l.id.Namespace, Name: l.id.Name})
}

// snapshot is what is relevant to one primary.
type snapshot struct {
	items  []*krm.Object
	places map[*krm.Object]apisync.Place
	seen   map[seenKey]bool
}

type seenKey struct {
	server   string
	resource schema.GroupResource
	key      live.Key
}

func (s *snapshot) add(c *live.Cache, objects ...*krm.Object) {
	for _, o := range objects {
		key := seenKey{c.Server.Name, c.GroupResource(), live.KeyOf(o)}
		if !s.seen[key] {
			s.seen[key] = true
			s.items, s.places[o] = append(s.items, o), placeOf(c.Server.Name)
		}
	}
}

// snapshot reads what is relevant to the primary from the caches.
func (l *primary) snapshot(ctx context.Context) (*snapshot, error) {
	s := &snapshot{places: map[*krm.Object]apisync.Place{}, seen: map[seenKey]bool{}}
	r, cluster := l.prepared, l.server.Name
	if o := l.source(); o != nil {
		s.add(r.cache(cluster, r.remote), o)
	}
	local := r.cache("", r.local)
	copies := local.ByIndex(byOwner, l.key)
	s.add(local, copies...)
	s.add(local, local.ByIndex(byMapKey, applyset.MapKey(l.key))...)
	for _, rel := range r.related {
		l.addRelated(s, rel, copies)
	}
	l.addNamespaces(s)
	for ref, c := range l.blocking {
		if o := c.Get(live.Key{Namespace: ref.Namespace, Name: ref.Name}); o != nil {
			s.add(c, o)
		}
	}
	return s, l.addOldCopies(ctx, s)
}

// addNamespaces adds the namespaces that selectors select from, and that of the primary for the filter.
func (l *primary) addNamespaces(s *snapshot) {
	for _, where := range []string{l.server.Name, ""} {
		c := l.prepared.cache(where, namespaces)
		switch {
		case c == nil:
		case l.prepared.spaces[where != ""]:
			s.add(c, c.List()...)
		default:
			if o := c.Get(live.Key{Name: l.id.Namespace}); o != nil {
				s.add(c, o)
			}
		}
	}
}

// addRelated adds what may belong to the primary by an entry, and its copies.
func (l *primary) addRelated(s *snapshot, rel relation, copies []*krm.Object) {
	origins, made := l.prepared.cache(l.server.Name, rel.origin), l.prepared.cache("", rel.copied)
	if !rel.fromSource {
		origins, made = l.prepared.cache("", rel.origin), l.prepared.cache(l.server.Name, rel.copied)
	}
	s.add(made, made.ByIndex(byOwner, l.key)...)
	if rel.anywhere || !rel.origin.Namespaced {
		l.addOrigins(s, origins, origins.List())
		return
	}
	spaces := []string{l.id.Namespace}
	if !rel.fromSource {
		spaces = nil
		for _, o := range copies {
			spaces = append(spaces, o.Namespace())
		}
	}
	for _, space := range spaces {
		l.addOrigins(s, origins, origins.ByIndex(byNamespace, space))
	}
}

// addOrigins adds what may be an origin: no copy, no other primary, and no Secret that holds what was last applied.
func (l *primary) addOrigins(s *snapshot, c *live.Cache, objects []*krm.Object) {
	for _, o := range objects {
		t := applyset.TagsOf(o)
		isOther := c.Server.Name != "" && o.Is(l.prepared.remoteGK.Group, l.prepared.remoteGK.Kind)
		isState := c.Server.Name == "" && o.Is("", "Secret") && o.Namespace() == l.pass.options.StateNamespace
		if t.Controller != l.prepared.rule.Controller() && !isOther && !isState {
			s.add(c, o)
		}
	}
}

// addOldCopies adds the copies that are known from what was last applied: those that lost their tags, and those of a type
// that no entry names any more.
func (l *primary) addOldCopies(ctx context.Context, s *snapshot) error {
	for _, known := range l.applied.outputs() {
		on := l.server
		if !known.source {
			on = l.pass.worker.controller.server("")
		}
		if k, is := l.prepared.resources[roleKey{known.source, known.gvk.GroupKind()}]; is {
			c := l.prepared.cache(on.Name, k)
			if o := c.Get(known.key); o != nil {
				s.add(c, o)
			}
			continue
		}
		o, k, err := on.read(ctx, known.gvk, known.key)
		if err != nil {
			return err
		}
		if o != nil && applyset.TagsOf(o).Owner == l.key {
			s.items, s.places[o] = append(s.items, o), placeOf(on.Name)
			l.oldTypes[roleKey{known.source, known.gvk.GroupKind()}] = k
		}
	}
	return nil
}

// read asks for one object; nil where it, or its type, does not exist.
func (s *server) read(ctx context.Context, gvk schema.GroupVersionKind, where live.Key) (*krm.Object, live.Resource, error) {
	m, err := s.Mapper().RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		return nil, live.Resource{}, nil
	}
	if err != nil {
		return nil, live.Resource{}, err
	}
	k := live.Resource{GroupVersionResource: m.Resource, Namespaced: m.Scope.Name() == meta.RESTScopeNameNamespace}
	u, err := s.Client(k, where.Namespace).Get(ctx, where.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, k, nil
	}
	if err != nil {
		return nil, k, err
	}
	o, err := live.FromUnstructured(u)
	return o, k, err
}

// round plans what to do next. Objects that exist where a copy is to be created are relevant, too.
func (l *primary) round(ctx context.Context, by *apisync.Rule) (*apisync.Round, error) {
	const maxAttempts = 5
	for n := 0; ; n++ {
		s, err := l.snapshot(ctx)
		if err != nil {
			return nil, err
		}
		r, err := by.Round(ctx, apisync.Snapshot{
			Items: s.items, Live: true, LastKnown: l.applied.lastKnown,
			Place:         func(o *krm.Object) apisync.Place { return s.places[o] },
			WorkspacePath: func(string) string { return l.server.path },
			Gone:          func(key string) bool { return l.gone && key == l.key },
			AppliedCopies: l.placed,
			FilterSelects: l.pass.selects,

			SystemNamespaces: append([]string{l.pass.options.StateNamespace}, l.pass.options.SystemNamespaces...),
		})
		if err != nil || n == maxAttempts || !l.addBlocking(r, s) {
			return r, err
		}
	}
}

// placed are the copies of a primary that are known from what was last applied.
func (l *primary) placed(key string) (ids []krm.ID) {
	if key != l.key {
		return nil
	}
	local := l.prepared.localGK
	for _, known := range l.applied.outputs() {
		if !known.source && known.gvk.GroupKind() == local {
			ids = append(ids, krm.ID{Group: local.Group, Kind: local.Kind, Namespace: known.key.Namespace, Name: known.key.Name})
		}
	}
	return ids
}

// addBlocking notes objects that are in the way of a round and that it did not see; false where there are none.
func (l *primary) addBlocking(r *apisync.Round, s *snapshot) (more bool) {
	for _, op := range r.Operations {
		k, is := l.prepared.resources[roleKey{op.Ref.Place != "", schema.GroupKind{Group: op.Ref.Group, Kind: op.Ref.Kind}}]
		if op.Action != applyset.ActionCreate || !is {
			continue
		}
		c := l.prepared.cache(op.Ref.Place, k)
		where := live.Key{Namespace: op.Ref.Namespace, Name: op.Ref.Name}
		if c.Get(where) != nil && !s.seen[seenKey{op.Ref.Place, k.GroupResource(), where}] {
			l.blocking[op.Ref] = c
			more = true
		}
	}
	return more
}

// relevantKeys are the keys of all objects that are relevant to the primary after a round.
func (l *primary) relevantKeys(r *apisync.Round) (keys []string) {
	for _, one := range r.Pairs {
		keys = append(keys, one.Origin.String(), one.Copy.String())
	}
	for _, op := range r.Operations {
		keys = append(keys, op.Ref.String())
	}
	for ref := range l.blocking {
		keys = append(keys, ref.String())
	}
	for _, o := range l.prepared.cache("", l.prepared.local).ByIndex(byOwner, l.key) {
		keys = append(keys, applyset.Key(o))
	}
	for _, rel := range l.prepared.related {
		for _, cluster := range []string{"", l.server.Name} {
			if c := l.prepared.cache(cluster, rel.copied); c != nil {
				for _, o := range c.ByIndex(byOwner, l.key) {
					keys = append(keys, applyset.KeyIn(cluster, o.ID()))
				}
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// stateOutput is a copy that is known from what was last applied.
type stateOutput struct {
	source bool
	gvk    schema.GroupVersionKind
	key    live.Key
}

// outputOf is what a state speaks of; false when it cannot be read.
func outputOf(state []byte) (out stateOutput, is bool) {
	var head metav1.PartialObjectMetadata
	if json.Unmarshal(state, &head) != nil || head.Kind == "" || head.Name == "" {
		return out, false
	}
	out.gvk = schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	out.key = live.Key{Namespace: head.Namespace, Name: head.Name}
	return out, true
}
