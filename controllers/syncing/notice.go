package syncing

import (
	"maps"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// noticed is told of a change of an object: before is nil for a new one, after for one that is gone. It has the
// primaries looked at which the change may concern.
func (w *worker) noticed(sh *shelf, before, after *krm.Object) {
	r := w.known.Load()
	if r == nil {
		return // it is made ready first, and then looks at everything
	}
	n := notice{worker: w, ready: r, shelf: sh, cluster: sh.server.name}
	for _, o := range []*krm.Object{before, after} {
		if o != nil {
			n.primary(o)
		}
	}
	n.mattering(before, after)
	n.relatives(before, after)
}

// notice is a change that is told of.
type notice struct {
	*worker
	ready   *ready
	shelf   *shelf
	cluster string
}

// primary has those looked at that the object is, or is made of.
func (n notice) primary(o *krm.Object) {
	if n.cluster != "" && n.shelf.kind == n.ready.remote {
		n.agenda.look(correspond.KeyIn(n.cluster, o.ID()))
	}
	if t := correspond.TagsOf(o); t.Owner != "" && t.Controller == n.ready.rule.Controller() {
		n.agenda.look(t.Owner)
	}
}

// mattering has those looked at that the object mattered to the last time.
func (n notice) mattering(before, after *krm.Object) {
	o := after
	if o == nil {
		o = before
	}
	for _, key := range n.ready.memory.caring(correspond.KeyIn(n.cluster, o.ID())) {
		n.agenda.look(key)
	}
	if n.shelf.kind == namespaces && isStirred(before, after) {
		n.all(n.cluster)
	}
}

// isStirred reports whether an object came or went, or has other labels.
func isStirred(before, after *krm.Object) bool {
	return before == nil || after == nil || !maps.Equal(before.Labels(), after.Labels())
}

// relatives has those looked at that the object may belong to by an entry: as its watch says; and those near by where
// one came, went, or has other labels.
func (n notice) relatives(before, after *krm.Object) {
	stirred := isStirred(before, after)
	for _, rel := range n.ready.related {
		k, source := rel.origin, rel.fromSource
		if n.shelf.kind != k || (n.cluster != "") != source {
			if n.shelf.kind == rel.copied && (n.cluster != "") != rel.fromSource {
				n.watched(rel, before, after)
			}
			continue
		}
		n.watched(rel, before, after)
		switch o := first(after, before); {
		case !stirred:
		case rel.anywhere || !k.namespaced:
			n.all(n.cluster)
		default:
			n.around(o.Namespace())
		}
	}
}

func first(objects ...*krm.Object) *krm.Object {
	for _, o := range objects {
		if o != nil {
			return o
		}
	}
	return nil
}

// watched has those looked at that the watch of an entry names.
func (n notice) watched(rel relation, states ...*krm.Object) {
	if rel.selects != nil {
		n.selected(rel.selects)
	}
	if !rel.byOwner {
		return
	}
	gk, k := n.ready.localGK, n.ready.local
	if n.cluster != "" {
		gk, k = n.ready.remoteGK, n.ready.remote
	}
	for _, o := range states {
		if o == nil {
			continue
		}
		if owner := ownerOf(o, gk); owner != "" {
			where := at{o.Namespace(), owner}
			if !k.namespaced {
				where[0] = ""
			}
			n.standing(n.ready.shelf(n.cluster, k).get(where))
		}
	}
}

// standing has the primary looked at that an object on this side is, or is the copy of.
func (n notice) standing(o *krm.Object) {
	if o != nil {
		n.primary(o)
		if n.cluster != "" {
			n.agenda.look(correspond.KeyIn(n.cluster, o.ID()))
		}
	}
}

// selected has all primaries looked at whose object on this side is selected.
func (n notice) selected(s labels.Selector) {
	k := n.ready.local
	if n.cluster != "" {
		k = n.ready.remote
	}
	for _, o := range n.ready.shelf(n.cluster, k).objects() {
		if s.Matches(labels.Set(o.Labels())) {
			n.standing(o)
		}
	}
}

// around has the primaries looked at whose object on this side is in a namespace.
func (n notice) around(namespace string) {
	k := n.ready.local
	if n.cluster != "" {
		k = n.ready.remote
	}
	for _, o := range n.ready.shelf(n.cluster, k).find(inNamespace(namespace)) {
		n.standing(o)
	}
}

// all has all primaries of a workspace looked at, or of all workspaces.
func (n notice) all(cluster string) {
	if cluster == "" {
		n.agenda.everything()
		return
	}
	for _, o := range n.ready.shelf(cluster, n.ready.remote).objects() {
		n.agenda.look(correspond.KeyIn(cluster, o.ID()))
	}
}

// ownerOf is the name of the first owner of a type, in whatever version; "" when there is none.
func ownerOf(o *krm.Object, gk schema.GroupKind) string {
	refs := krm.Deref(o.Lookup("metadata", "ownerReferences"))
	if refs == nil || refs.Kind != yaml.SequenceNode {
		return ""
	}
	text := func(n *yaml.Node, field string) string {
		if v := krm.Deref(krm.Lookup(n, field)); v != nil {
			return v.Value
		}
		return ""
	}
	for _, ref := range refs.Content {
		gv, err := schema.ParseGroupVersion(text(ref, "apiVersion"))
		if err == nil && gv.Group == gk.Group && text(ref, "kind") == gk.Kind {
			return text(ref, "name")
		}
	}
	return ""
}
