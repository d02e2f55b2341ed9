package mapcontroller

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// syncError is the reason of the events about errors of a parent. It is metacontroller's.
const syncError = "SyncError"

// recordEvents records an event for each parent with errors, once as long as the errors stay the same.
func (p *pass) recordEvents() {
	for _, key := range slices.Sorted(maps.Keys(p.memory.failing)) {
		text := p.memory.failing[key]
		if p.memory.recorded[key] == text {
			continue
		}
		p.memory.recorded[key] = text
		p.options.Log.Info("a parent has errors", "mapcontroller", p.worker.name, "parent", key, "reason", text)
		o := p.snapshot.parents[key]
		about := &corev1.ObjectReference{APIVersion: o.APIVersion(), Kind: o.Kind(), Namespace: o.Namespace(), Name: o.Name(),
			UID: types.UID(live.UID(o)), ResourceVersion: live.ResourceVersion(o)}
		p.worker.controller.events.Eventf(about, nil, corev1.EventTypeWarning, syncError, "Map", "%s",
			live.Truncate(p.worker.name+": "+text))
	}
	maps.DeleteFunc(p.memory.recorded, func(key, _ string) bool { return p.memory.failing[key] == "" })
	failing := 0
	for i := range p.result.Parents {
		if p.memory.failing[p.result.Parents[i].Key] != "" {
			failing++
		}
	}
	p.metrics.parents.WithLabelValues(p.worker.name, "failing").Set(float64(failing))
	p.metrics.parents.WithLabelValues(p.worker.name, "well").Set(float64(len(p.result.Parents) - failing))
}
