package publishedresource

import (
	"maps"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// KnowledgeChanged implements live.CacheUser.
func (w *worker) KnowledgeChanged() { w.self.Queue.AddAll() }

// ObjectChanged implements live.CacheUser. It queues the primaries that the change may concern.
func (w *worker) ObjectChanged(c *live.Cache, before, after *krm.Object) {
	r := w.active.Load()
	if r == nil {
		return // it is prepared first, and then reconciles everything
	}
	e := event{queue: w.self.Queue, prepared: r, resource: c.Resource, cluster: c.Server.Name}
	for _, o := range []*krm.Object{before, after} {
		if o != nil {
			e.queuePrimary(o)
		}
	}
	e.queueRelevant(before, after)
	e.queueRelated(before, after)
}

// event is a change of an object of some type and cluster; the cluster of the destination is empty.
type event struct {
	queue    *live.Queue
	prepared *prepared
	resource live.Resource
	cluster  string
}

// queuePrimary queues the primary that the object is, or is made of.
func (e event) queuePrimary(o *krm.Object) {
	if e.cluster != "" && e.resource == e.prepared.remote {
		e.queue.Add(applyset.KeyIn(e.cluster, o.ID()))
	}
	if t := applyset.TagsOf(o); t.Owner != "" && t.Controller == e.prepared.rule.Controller() {
		e.queue.Add(t.Owner)
	}
}

// queueRelevant queues the primaries that the object was relevant to when they were reconciled last.
func (e event) queueRelevant(before, after *krm.Object) {
	o := firstOf(after, before)
	for _, key := range e.prepared.memory.primariesOf(applyset.KeyIn(e.cluster, o.ID())) {
		e.queue.Add(key)
	}
	if e.resource == namespaces && membershipChanged(before, after) {
		e.queueAll(e.cluster)
	}
}

// membershipChanged reports whether an object came or went, or has other labels.
func membershipChanged(before, after *krm.Object) bool {
	return before == nil || after == nil || !maps.Equal(before.Labels(), after.Labels())
}

// queueRelated queues the primaries that the object may belong to by an entry: as its watch says; and those near by where
// an object came, went, or has other labels.
func (e event) queueRelated(before, after *krm.Object) {
	changed := membershipChanged(before, after)
	for _, rel := range e.prepared.related {
		isOrigin := e.resource == rel.origin && (e.cluster != "") == rel.fromSource
		isCopy := e.resource == rel.copied && (e.cluster != "") != rel.fromSource
		if isOrigin || isCopy {
			e.queueWatched(rel, before, after)
		}
		switch {
		case !isOrigin || !changed:
		case rel.anywhere || !rel.origin.Namespaced:
			e.queueAll(e.cluster)
		default:
			e.queueNamespace(firstOf(after, before).Namespace())
		}
	}
}

func firstOf(objects ...*krm.Object) *krm.Object {
	for _, o := range objects {
		if o != nil {
			return o
		}
	}
	return nil
}

// here is the cache of primaries, or of their copies, on the side of the change.
func (e event) here() *live.Cache {
	if e.cluster == "" {
		return e.prepared.cache("", e.prepared.local)
	}
	return e.prepared.cache(e.cluster, e.prepared.remote)
}

// queueWatched queues the primaries that the watch of an entry names.
func (e event) queueWatched(rel relation, states ...*krm.Object) {
	if rel.selects != nil {
		for _, o := range e.here().List() {
			if rel.selects.Matches(labels.Set(o.Labels())) {
				e.queueOwnerOf(o)
			}
		}
	}
	if !rel.byOwner {
		return
	}
	gk := e.prepared.localGK
	if e.cluster != "" {
		gk = e.prepared.remoteGK
	}
	for _, o := range states {
		if o == nil {
			continue
		}
		if owner := ownerOf(o, gk); owner != "" {
			key := live.Key{Namespace: o.Namespace(), Name: owner}
			if !e.here().Namespaced {
				key.Namespace = ""
			}
			e.queueOwnerOf(e.here().Get(key))
		}
	}
}

// queueOwnerOf queues the primary that an object on this side is, or is the copy of.
func (e event) queueOwnerOf(o *krm.Object) {
	if o != nil {
		e.queuePrimary(o)
		if e.cluster != "" {
			e.queue.Add(applyset.KeyIn(e.cluster, o.ID()))
		}
	}
}

// queueNamespace queues the primaries whose object on this side is in a namespace.
func (e event) queueNamespace(namespace string) {
	for _, o := range e.here().ByIndex(byNamespace, namespace) {
		e.queueOwnerOf(o)
	}
}

// queueAll queues all primaries of a workspace, or of all workspaces.
func (e event) queueAll(cluster string) {
	if cluster == "" {
		e.queue.AddAll()
		return
	}
	for _, o := range e.prepared.cache(cluster, e.prepared.remote).List() {
		e.queue.Add(applyset.KeyIn(cluster, o.ID()))
	}
}

// ownerOf is the name of the first owner of a type, in whatever version; empty where there is none.
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
