package syncing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

// look is one primary that is looked at, until there is nothing to do for it.
type look struct {
	*pass
	key    string
	id     krm.ID
	at     *server // where it is
	gone   bool
	ledger *ledger
	extra  map[correspond.Ref]*shelf // objects that turned out to matter
	// worked says that an operation changed something.
	worked bool
	// forgotten are the types of copies that no entry names any more.
	forgotten map[roleKey]kind
}

// newLook finds out what there is to know of a primary besides objects.
func (p *pass) newLook(ctx context.Context, key string) (*look, error) {
	cluster, id, err := correspond.ParseKey(key)
	if err != nil {
		return nil, err
	}
	l := &look{pass: p, key: key, id: id, at: p.server(cluster), gone: p.gone[key], extra: map[correspond.Ref]*shelf{},
		forgotten: map[roleKey]kind{}}
	if l.at == nil {
		return nil, fmt.Errorf("%q is no workspace", cluster)
	}
	l.ledger, err = p.readLedger(ctx, key)
	return l, err
}

// source is the primary as it is; nil when it is not there.
func (l *look) source() *krm.Object {
	return l.ready.shelf(l.at.name, l.ready.remote).get(at{l.id.Namespace, l.id.Name})
}

// small is a world of one primary.
type small struct {
	items  []*krm.Object
	places map[*krm.Object]syncing.Place
	seen   map[seenKey]bool
}

type seenKey struct {
	server string
	schema.GroupResource
	at
}

func (s *small) add(sh *shelf, objects ...*krm.Object) {
	for _, o := range objects {
		key := seenKey{sh.server.name, sh.GroupResource(), atOf(o)}
		if !s.seen[key] {
			s.seen[key] = true
			s.items, s.places[o] = append(s.items, o), sh.server.at()
		}
	}
}

// world is what matters to the primary, as the shelves have it.
func (l *look) world(ctx context.Context) (*small, error) {
	s := &small{places: map[*krm.Object]syncing.Place{}, seen: map[seenKey]bool{}}
	r, cluster := l.ready, l.at.name
	if o := l.source(); o != nil {
		s.add(r.shelf(cluster, r.remote), o)
	}
	local := r.shelf("", r.local)
	copies := local.find(ofOwner(l.key))
	s.add(local, copies...)
	s.add(local, local.find(ofMapKey(l.key))...)
	for _, rel := range r.related {
		l.addRelated(s, rel, copies)
	}
	l.addNamespaces(s)
	for ref, sh := range l.extra {
		if o := sh.get(at{ref.Namespace, ref.Name}); o != nil {
			s.add(sh, o)
		}
	}
	return s, l.addForgotten(ctx, s)
}

// addNamespaces adds those that selectors look among, and that of the primary for the filter.
func (l *look) addNamespaces(s *small) {
	for _, where := range []string{l.at.name, ""} {
		sh := l.ready.shelf(where, namespaces)
		switch {
		case sh == nil:
		case l.ready.spaces[where != ""]:
			s.add(sh, sh.objects()...)
		default:
			if o := sh.get(at{"", l.id.Namespace}); o != nil {
				s.add(sh, o)
			}
		}
	}
}

// addRelated adds what may belong to the primary by an entry, and its copies.
func (l *look) addRelated(s *small, rel relation, copies []*krm.Object) {
	origins, made := l.ready.shelf(l.at.name, rel.origin), l.ready.shelf("", rel.copied)
	if !rel.fromSource {
		origins, made = l.ready.shelf("", rel.origin), l.ready.shelf(l.at.name, rel.copied)
	}
	s.add(made, made.find(ofOwner(l.key))...)
	if rel.anywhere || !rel.origin.namespaced {
		l.addOrigins(s, origins, origins.objects())
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
		l.addOrigins(s, origins, origins.find(inNamespace(space)))
	}
}

// addOrigins adds what may be an origin: nothing that is a copy itself, no other primary, and no
// ledger.
func (l *look) addOrigins(s *small, sh *shelf, objects []*krm.Object) {
	for _, o := range objects {
		t := correspond.TagsOf(o)
		isOther := sh.server.name != "" && o.Is(l.ready.remoteGK.Group, l.ready.remoteGK.Kind)
		isState := sh.server.name == "" && o.Is("", "Secret") && o.Namespace() == l.options.StateNamespace
		if t.Controller != l.ready.rule.Controller() && !isOther && !isState {
			s.add(sh, o)
		}
	}
}

// addForgotten adds what the ledger knows of: copies that lost their tags, and those of a type that no entry names any
// more.
func (l *look) addForgotten(ctx context.Context, s *small) error {
	for _, known := range l.ledger.outputs() {
		on := l.at
		if !known.source {
			on = l.server("")
		}
		if k, is := l.ready.resources[roleKey{known.source, known.gvk.GroupKind()}]; is {
			sh := l.ready.shelf(on.name, k)
			if o := sh.get(known.at); o != nil {
				s.add(sh, o)
			}
			continue
		}
		o, k, err := on.read(ctx, known.gvk, known.at)
		if err != nil {
			return err
		}
		if o != nil && correspond.TagsOf(o).Owner == l.key {
			s.items, s.places[o] = append(s.items, o), on.at()
			l.forgotten[roleKey{known.source, known.gvk.GroupKind()}] = k
		}
	}
	return nil
}

// read asks for one object; nil when it, or its type, is not there.
func (s *server) read(ctx context.Context, gvk schema.GroupVersionKind, where at) (*krm.Object, kind, error) {
	m, err := s.Mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		return nil, kind{}, nil
	}
	if err != nil {
		return nil, kind{}, err
	}
	k := kind{m.Resource, m.Scope.Name() == meta.RESTScopeNameNamespace}
	u, err := s.resource(k, where[0]).Get(ctx, where[1], metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, k, nil
	}
	if err != nil {
		return nil, k, err
	}
	o, err := objectOf(u)
	return o, k, err
}

// round asks what to do next. Objects that stand where something is to be made matter, too.
func (l *look) round(ctx context.Context, by *syncing.Rule) (*syncing.Round, error) {
	const most = 5
	for n := 0; ; n++ {
		s, err := l.world(ctx)
		if err != nil {
			return nil, err
		}
		r, err := by.Round(ctx, syncing.World{
			Items: s.items, Live: true, LastKnown: l.ledger.lastKnown,
			Place:         func(o *krm.Object) syncing.Place { return s.places[o] },
			WorkspacePath: func(string) string { return l.at.path },
			Gone:          func(key string) bool { return l.gone && key == l.key },
			Placed:        l.placed,
			FilterSelects: l.selects,

			SystemNamespaces: append([]string{l.options.StateNamespace}, l.options.SystemNamespaces...),
		})
		if err != nil || n == most || !l.widen(r, s) {
			return r, err
		}
	}
}

// placed are the copies that the ledger knows of a primary.
func (l *look) placed(key string) (ids []krm.ID) {
	if key != l.key {
		return nil
	}
	local := l.ready.localGK
	for _, known := range l.ledger.outputs() {
		if !known.source && known.gvk.GroupKind() == local {
			ids = append(ids, krm.ID{Group: local.Group, Kind: local.Kind, Namespace: known.at[0], Name: known.at[1]})
		}
	}
	return ids
}

// widen notes what stands in the way of a round; false when nothing does that it did not see.
func (l *look) widen(r *syncing.Round, s *small) (more bool) {
	for _, op := range r.Operations {
		k, is := l.ready.resources[roleKey{op.Ref.Place != "", schema.GroupKind{Group: op.Ref.Group, Kind: op.Ref.Kind}}]
		if op.Action != correspond.ActionCreate || !is {
			continue
		}
		sh := l.ready.shelf(op.Ref.Place, k)
		where := at{op.Ref.Namespace, op.Ref.Name}
		if sh.get(where) != nil && !s.seen[seenKey{op.Ref.Place, k.GroupResource(), where}] {
			l.extra[op.Ref] = sh
			more = true
		}
	}
	return more
}

// caresFor are the keys of all objects that matter to the primary, after a round.
func (l *look) caresFor(r *syncing.Round) (keys []string) {
	for _, one := range r.Pairs {
		keys = append(keys, one.Origin.String(), one.Copy.String())
	}
	for _, op := range r.Operations {
		keys = append(keys, op.Ref.String())
	}
	for ref := range l.extra {
		keys = append(keys, ref.String())
	}
	for _, o := range l.ready.shelf("", l.ready.local).find(ofOwner(l.key)) {
		keys = append(keys, correspond.Key(o))
	}
	for _, rel := range l.ready.related {
		for _, cluster := range []string{"", l.at.name} {
			if sh := l.ready.shelf(cluster, rel.copied); sh != nil {
				for _, o := range sh.find(ofOwner(l.key)) {
					keys = append(keys, correspond.KeyIn(cluster, o.ID()))
				}
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// stateOutput is a copy that a ledger knows of.
type stateOutput struct {
	source bool
	gvk    schema.GroupVersionKind
	at     at
}

// outputOf is what a state speaks of; false when it cannot be read.
func outputOf(state []byte) (out stateOutput, is bool) {
	var head metav1.PartialObjectMetadata
	if json.Unmarshal(state, &head) != nil || head.Kind == "" || head.Name == "" {
		return out, false
	}
	out.gvk = schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	out.at = at{head.Namespace, head.Name}
	return out, true
}
