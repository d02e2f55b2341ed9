package mapcontroller

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// syncError is the reason of the events that tell what is wrong with a parent, which is metacontroller's.
const syncError = "SyncError"

// recordEvents warns of what is wrong with parents, once for as long as it stays the same.
func (p *pass) recordEvents() {
	for _, key := range slices.Sorted(maps.Keys(p.memory.failing)) {
		text := p.memory.failing[key]
		if p.memory.recorded[key] == text {
			continue
		}
		p.memory.recorded[key] = text
		p.options.Log.Info("a parent has errors", "mapcontroller", p.worker.name, "parent", key, "reason", text)
		p.worker.controller.events.Eventf(referenceTo(p.snapshot.parents[key]), nil, corev1.EventTypeWarning, syncError, "Map", "%s",
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

// referenceTo is as much of an object as an event needs.
func referenceTo(o *krm.Object) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: o.APIVersion(), Kind: o.Kind()}}
	m.Namespace, m.Name, m.UID = o.Namespace(), o.Name(), types.UID(live.UID(o))
	m.ResourceVersion = live.ResourceVersion(o)
	return m
}
