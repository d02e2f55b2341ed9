package bundling

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// isOrphaned reports whether a cluster keeps an object that e held and that no work holds now: the cluster has left, and the options
// say so, or said so when it left.
func (h *handOvers) isOrphaned(e *previous.Work, o previous.Object) bool {
	wasOrphaned := o.HandedOver && len(h.heldBefore(o)) == 0
	return (h.opts.WhenClusterLeaves == orphan || wasOrphaned) && h.clusterLeft(e, o.ID)
}

// heldBefore are the works of an earlier run that held o on its cluster, and not as an entry.
func (h *handOvers) heldBefore(o previous.Object) []*krm.Object {
	if h.before == nil { // index all objects once
		h.before = map[clusterObject][]*krm.Object{}
		for _, e := range h.earlier {
			for _, other := range e.Held() {
				if at := (clusterObject{e.Object.Namespace(), other.ID}); !other.HandedOver {
					h.before[at] = append(h.before[at], other.Work)
				}
			}
		}
	}
	return h.before[clusterObject{o.Work.Namespace(), o.ID}]
}

// clusterLeft reports whether the cluster of e has left. Either the Binding of e no longer selects the cluster, or the Binding is
// gone (a user may have renamed it) and another ships the object elsewhere.
func (h *handOvers) clusterLeft(e *previous.Work, id krm.ID) bool {
	if i := h.shipmentOf(e); i >= 0 {
		return !slices.Contains(h.shipments[i].Destinations, e.Object.Namespace())
	}
	return slices.ContainsFunc(h.shipments, func(s shipment) bool { return s.ships(id) })
}

// shipmentOf is the index of the shipment of the Binding of e; negative if the Binding is gone.
func (h *handOvers) shipmentOf(e *previous.Work) int {
	of := naming.LabelledOrigin(e.Object)
	return slices.IndexFunc(h.shipments, func(s shipment) bool { return s.Binding.Binding == of.Binding && s.WDS == of.WDS })
}

// ships reports whether s brings an object to some cluster. A payload that templates rename may be any object of its kind.
func (s shipment) ships(id krm.ID) bool {
	return len(s.Destinations) > 0 && slices.ContainsFunc(s.payloads, func(p *payload) bool {
		return p.object.ID() == id || p.renamed && p.object.Is(id.Group, id.Kind)
	})
}
