package bundling

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// ownership says how the works of a cluster hold an object.
type ownership int

const (
	notHeld  ownership = iota
	observed           // agents read the object, and do not own it
	applied            // agents apply the object, and do not own it: it is to stay when works no longer hold it
	owned              // an agent owns it, or adopts it
)

// ownershipOf says how the works of a cluster hold an object after this run, without hand-over entries.
func (h *handOvers) ownershipOf(cluster string, id krm.ID) ownership {
	if h.owners[cluster] == nil {
		h.owners[cluster] = h.ownersOn(cluster)
	}
	return h.owners[cluster][id]
}

func (h *handOvers) ownersOn(cluster string) map[krm.ID]ownership {
	out := map[krm.ID]ownership{}
	add := func(id krm.ID, strategy string, applying ownership) {
		if strategy == manifestconfig.ReadOnly {
			applying = observed
		}
		out[id] = max(out[id], applying)
	}
	for _, i := range h.byCluster[cluster] {
		for _, s := range h.works[i].body.batch {
			if s.rule != nil {
				add(s.named.ID(), s.settings.Strategy, applied)
			} else {
				add(s.named.ID(), s.settings.Strategy, owned)
			}
		}
	}
	for _, work := range h.foreign[cluster] {
		held, _ := previous.Objects(work)
		for _, o := range held {
			switch {
			case o.HandedOver:
			case h.released(work, o.ID):
				add(o.ID, manifestconfig.ReadOnly, observed)
			default:
				add(o.ID, h.strategyIn(work, o.ID), owned)
			}
		}
	}
	return out
}

// mayOwn reports whether the agent may own an object of an earlier work. A hand-over entry that is only a name does not tell. But
// if no other work owned the object before, the entry is not a name for lack of room.
func (h *handOvers) mayOwn(o previous.Object) bool {
	applies := func(work *krm.Object) bool { return h.strategyIn(work, o.ID) != manifestconfig.ReadOnly }
	mayOwnIn := func(work *krm.Object) bool { return applies(work) && !h.released(work, o.ID) }
	if !o.HandedOver {
		return mayOwnIn(o.Work)
	}
	return applies(o.Work) || slices.ContainsFunc(h.heldBefore(o), mayOwnIn)
}

// isReference reports whether an object is a hand-over entry that is only its name: agents read it, and do not release it.
func (h *handOvers) isReference(o previous.Object) bool {
	return o.HandedOver && (!h.released(o.Work, o.ID) || h.strategyIn(o.Work, o.ID) == manifestconfig.ReadOnly)
}

// strategyIn is the update strategy of an object of a work in the package: that of the first config that matches.
func (h *handOvers) strategyIn(work *krm.Object, id krm.ID) string {
	for _, s := range h.settingsOf(work) {
		if manifestconfig.FitsPattern(s.resource.Name, id.Name) && s.resource.Fits(h.resourceIn(s.resource, id)) {
			return s.strategy
		}
	}
	return manifestconfig.Update
}

// setting is the update strategy of some objects of a work in the package.
type setting struct {
	resource manifestconfig.Resource
	strategy string
}

// settingsOf are those of a work, read once for all its objects.
func (h *handOvers) settingsOf(work *krm.Object) []setting {
	all, done := h.settings[work]
	if done {
		return all
	}
	for _, c := range manifest.Items(work.Lookup("spec", "manifestConfigs")) {
		if strategy := krm.Text(c, "updateStrategy", "type"); strategy != "" {
			all = append(all, setting{manifestconfig.ReadResource(krm.Lookup(c, "resourceIdentifier")), strategy})
		}
	}
	h.settings[work] = all
	return all
}

// released reports whether the deleteOption of a work in the package makes agents orphan an object in it.
func (h *handOvers) released(work *krm.Object, id krm.ID) bool {
	return krm.Text(work.Lookup("spec", manifest.DeleteOptionField), "propagationPolicy") == workload.Orphan ||
		slices.ContainsFunc(h.rulesOf(work), func(at manifestconfig.Resource) bool {
			return at.Group == id.Group && at.Namespace == id.Namespace && at.Name == id.Name && at == h.resourceIn(at, id)
		})
}

// rulesOf are the orphaning rules of a work in the package, read once for all its objects.
func (h *handOvers) rulesOf(work *krm.Object) []manifestconfig.Resource {
	all, done := h.rules[work]
	if done {
		return all
	}
	for _, rule := range manifest.Items(work.Lookup("spec", manifest.DeleteOptionField, "selectivelyOrphans", "orphaningRules")) {
		all = append(all, manifestconfig.ReadResource(rule))
	}
	h.rules[work] = all
	return all
}

// resourceIn identifies an object in a work in the package that names at. If at may mean the kind, its plural counts: that of
// the kind may be unknown.
func (h *handOvers) resourceIn(at manifestconfig.Resource, id krm.ID) manifestconfig.Resource {
	if h.kinds.CouldMean(at.Resource, id.Group, id.Kind, false) {
		return manifestconfig.ResourceOf(id, at.Resource)
	}
	return h.resourceOf(id)
}
