package publishedresource

import (
	"cmp"
	"maps"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// KnowledgeChanged implements live.CacheUser.
func (w *worker) KnowledgeChanged() { w.self.Queue.AddAll() }

// ObjectChanged implements live.CacheUser. It queues the primaries that the change may concern.
func (w *worker) ObjectChanged(c *live.Cache, before, after *krm.Object) {
	r := w.active.Load()
	if r == nil {
		return // the worker prepares first, and then reconciles everything
	}
	e := change{queue: w.self.Queue, prepared: r, resource: c.Resource, server: c.Server.Name, before: before, after: after,
		isMembership: before == nil || after == nil || !maps.Equal(before.Labels(), after.Labels())}
	e.queuePrimary(c.Resource, before)
	e.queuePrimary(c.Resource, after)
	for _, key := range r.memory.relevance.Primaries(applyset.KeyIn(e.server, e.object().ID())) {
		e.queue.Add(key)
	}
	if e.resource == namespaces && e.isMembership {
		e.queueAll()
	}
	for _, rel := range r.related {
		e.queueRelated(rel)
	}
}

// change is an event of an object: before is nil for a new one, after for one that is gone.
type change struct {
	queue         *live.Queue
	prepared      *prepared
	resource      live.Resource
	server        string // empty for the destination
	before, after *krm.Object
	isMembership  bool // the object came or went, or has other labels
}

func (c change) object() *krm.Object { return cmp.Or(c.after, c.before) }

// queuePrimary queues the primary that an object is, or is a copy of.
func (c change) queuePrimary(of live.Resource, o *krm.Object) {
	if o == nil {
		return
	}
	if c.server != "" && of == c.prepared.remote {
		c.queue.Add(applyset.KeyIn(c.server, o.ID()))
	}
	if t := applyset.TagsOf(o); t.Owner != "" && t.Controller == c.prepared.rule.Controller() {
		c.queue.Add(t.Owner)
	}
}

// queueRelated queues the primaries to which an entry may relate the object: those that its watch names; and if an object
// came, went, or has other labels, all that may refer to it.
func (c change) queueRelated(rel relation) {
	isOrigin := c.resource == rel.origin && (c.server != "") == rel.FromSource
	isCopy := c.resource == rel.copied && (c.server != "") != rel.FromSource
	if isOrigin || isCopy {
		c.queueWatched(rel)
	}
	switch {
	case !isOrigin || !c.isMembership:
	case rel.Anywhere:
		c.queueAll()
	default:
		for _, o := range c.primaries().ByIndex(relevance.ByNamespace, c.object().Namespace()) {
			c.queuePrimary(c.primaries().Resource, o)
		}
	}
}

// primaries is the cache of primaries, or of their copies, on the side of the change.
func (c change) primaries() *live.Cache {
	if c.server == "" {
		return c.prepared.cache("", c.prepared.local)
	}
	return c.prepared.cache(c.server, c.prepared.remote)
}

// queueWatched queues the primaries that the watch of an entry names.
func (c change) queueWatched(rel relation) {
	here := c.primaries()
	if rel.WatchSelector != nil {
		for _, o := range here.List() {
			if rel.WatchSelector.Matches(labels.Set(o.Labels())) {
				c.queuePrimary(here.Resource, o)
			}
		}
	}
	if !rel.WatchOwners {
		return
	}
	gk := c.prepared.localGK
	if c.server != "" {
		gk = c.prepared.remoteGK
	}
	for _, o := range []*krm.Object{c.before, c.after} {
		if o == nil {
			continue
		}
		key := live.Key{Name: apisync.OwnerName(o, gk)}
		if here.Namespaced {
			key.Namespace = o.Namespace()
		}
		c.queuePrimary(here.Resource, here.Get(key))
	}
}

// queueAll queues all primaries of the workspace, or of all workspaces after a change at the destination.
func (c change) queueAll() {
	if c.server == "" {
		c.queue.AddAll()
		return
	}
	for _, o := range c.primaries().List() {
		c.queue.Add(applyset.KeyIn(c.server, o.ID()))
	}
}
