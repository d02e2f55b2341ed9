package bundling

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ownership says how works hold an object on a cluster.
type ownership int

const (
	notHeld  ownership = iota
	observed           // agents look at the object, and do not own it
	owned              // an agent owns it, or adopts it
)

// inPackage are the works that the package holds before a run: those of an earlier run, and by cluster those
// that this function did not make.
type inPackage struct {
	earlier []*previous.Work
	others  map[string][]*krm.Object
}

func newInPackage(items []*krm.Object, earlier []*previous.Work) inPackage {
	p := inPackage{earlier: earlier, others: map[string][]*krm.Object{}}
	for _, o := range items {
		if o.Is(naming.WorkGroup, naming.WorkKind) && o.Annotation(fn.GeneratedBy) != naming.Function && !o.IsLocalConfig() {
			p.others[o.Namespace()] = append(p.others[o.Namespace()], o)
		}
	}
	return p
}

// ownershipOf says how the works of a cluster hold an object from now on, not counting hand-over entries.
func (h *handOvers) ownershipOf(cluster string, id krm.ID) ownership {
	if h.onCluster[cluster] == nil {
		h.onCluster[cluster] = h.ownerships(cluster)
	}
	return h.onCluster[cluster][id]
}

func (h *handOvers) ownerships(cluster string) map[krm.ID]ownership {
	out := map[krm.ID]ownership{}
	for _, i := range h.byCluster[cluster] {
		for _, s := range h.works[i].body.batch {
			id := s.named.ID()
			out[id] = max(out[id], ownershipBy(s.settings.Strategy))
		}
	}
	for _, work := range h.found.others[cluster] {
		held, _ := previous.Objects(work)
		for _, o := range held {
			switch {
			case o.HandedOver:
			case h.released(work, o.ID):
				out[o.ID] = max(out[o.ID], observed)
			default:
				out[o.ID] = max(out[o.ID], ownershipBy(h.strategyIn(work, o.ID)))
			}
		}
	}
	return out
}

func ownershipBy(strategy string) ownership {
	if strategy == manifestconfig.ReadOnly {
		return observed
	}
	return owned
}

// mayOwn reports whether the agent may own what an earlier work holds. A hand-over entry that is only a name
// says nothing about that; but where no other work owned the object before, there was no want of room.
func (h *handOvers) mayOwn(o previous.Object) bool {
	if h.strategyIn(o.Work, o.ID) != manifestconfig.ReadOnly {
		return true
	}
	return o.HandedOver && slices.ContainsFunc(h.heldBefore(o), func(work *krm.Object) bool { return h.strategyIn(work, o.ID) != manifestconfig.ReadOnly })
}

// strategyIn is how agents apply an object of a work in the package: by the first config that fits it.
func (h *handOvers) strategyIn(work *krm.Object, id krm.ID) string {
	for _, s := range h.settingsOf(work) {
		if manifestconfig.FitsPattern(s.about.Name, id.Name) && s.about.Fits(h.resourceIn(s.about, id)) {
			return s.strategy
		}
	}
	return manifestconfig.Update
}

// setting is the strategy that a work in the package has for some of its objects.
type setting struct {
	about    manifestconfig.Resource
	strategy string
}

// settingsOf are those of a work. They are read once for all its objects.
func (h *handOvers) settingsOf(work *krm.Object) []setting {
	if h.settings.of == work {
		return h.settings.all
	}
	h.settings.of, h.settings.all = work, nil
	for _, c := range manifest.Items(work.Lookup("spec", "manifestConfigs")) {
		if strategy := krm.Text(c, "updateStrategy", "type"); strategy != "" {
			h.settings.all = append(h.settings.all, setting{manifestconfig.ReadResource(krm.Lookup(c, "resourceIdentifier")), strategy})
		}
	}
	return h.settings.all
}

// released reports whether a work in the package makes agents give up an object in it.
func (h *handOvers) released(work *krm.Object, id krm.ID) bool {
	option := work.Lookup("spec", manifest.DeleteOptionField)
	if option == nil {
		return false
	}
	rules := manifest.Items(krm.Lookup(option, "selectivelyOrphans", "orphaningRules"))
	return krm.Text(option, "propagationPolicy") == "Orphan" || slices.ContainsFunc(rules, func(rule *yaml.Node) bool {
		at := manifestconfig.ReadResource(rule)
		return at == h.resourceIn(at, id)
	})
}

// resourceIn is how a work in the package that names at may name an object: nothing may know the plural of its kind.
func (h *handOvers) resourceIn(at manifestconfig.Resource, id krm.ID) manifestconfig.Resource {
	plural := at.Resource
	if !h.kinds.CouldMean(plural, id.Group, id.Kind, false) {
		plural = h.pluralOfKind(id.Group, id.Kind)
	}
	return manifestconfig.ResourceOf(id, plural)
}
