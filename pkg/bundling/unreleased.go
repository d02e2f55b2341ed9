package bundling

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// staysOwned reports whether o, which no work holds now, is to stay on its cluster by its propagation policy, while its agent still
// owns it: the work was rendered when nothing said that the object stays. So the work releases it first, in an entry.
func (h *handOvers) staysOwned(e *previous.Work, o previous.Object) bool {
	if h.policyBefore(e, o) != workload.Orphan || !h.mayOwn(o) {
		return false
	}
	if o.HandedOver {
		return len(h.heldBefore(o)) == 0
	}
	return !h.saysWhatStays(e, o.Work)
}

// saysWhatStays reports whether the deleteOption of an earlier work is about its objects, and not only about hand-over entries.
func (h *handOvers) saysWhatStays(e *previous.Work, work *krm.Object) bool {
	if work.Lookup("spec", manifest.DeleteOptionField) == nil {
		return false
	}
	entries := 0
	for _, o := range e.Held() {
		if o.HandedOver && o.Work == work {
			entries++
		}
	}
	rules := len(h.rulesOf(work))
	return rules == 0 || rules > entries
}

// policyBefore is the policy of an object of an earlier work. Annotations count if what they are on is still in the package.
func (h *handOvers) policyBefore(e *previous.Work, o previous.Object) string {
	own, ofBinding := "", ""
	if i := h.shipmentOf(e); i >= 0 {
		ofBinding = h.shipments[i].Propagation
	}
	if source := h.sourceOf(o.ID); source != nil {
		own, _ = workload.PropagationPolicyOf(source, workload.Foreground, workload.Orphan)
	}
	return h.policyFor(schema.GroupKind{Group: o.ID.Group, Kind: o.ID.Kind}, own, ofBinding)
}

// sourceOf is the object of the package with that identity; nil for none.
func (h *handOvers) sourceOf(id krm.ID) *krm.Object {
	if h.sources == nil { // index all objects once
		h.sources = map[krm.ID]*krm.Object{}
		for _, o := range h.items {
			if !o.IsLocalConfig() {
				h.sources[o.ID()] = o
			}
		}
	}
	return h.sources[id]
}
