package mapping

import (
	"maps"
	"slices"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// syncError is the reason of the events that tell what is wrong with a parent, which is metacontroller's.
const syncError = "SyncError"

// tell warns of what is wrong with parents, once for as long as it stays the same.
func (p *pass) tell() {
	for _, key := range slices.Sorted(maps.Keys(p.memory.failing)) {
		text := p.memory.failing[key]
		if p.memory.said[key] == text {
			continue
		}
		p.memory.said[key] = text
		p.options.Log.Info("a parent has errors", "mapcontroller", p.name, "parent", key, "reason", text)
		p.events.Eventf(referenceTo(p.parents[key]), nil, corev1.EventTypeWarning, syncError, "Map", "%s", bounded(p.name+": "+text))
	}
	maps.DeleteFunc(p.memory.said, func(key, _ string) bool { return p.memory.failing[key] == "" })
	failing := 0
	for i := range p.result.Parents {
		if p.memory.failing[p.result.Parents[i].Key] != "" {
			failing++
		}
	}
	p.meters.parents.WithLabelValues(p.name, "failing").Set(float64(failing))
	p.meters.parents.WithLabelValues(p.name, "well").Set(float64(len(p.result.Parents) - failing))
}

// referenceTo is as much of an object as an event needs.
func referenceTo(o *krm.Object) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: o.APIVersion(), Kind: o.Kind()}}
	m.Namespace, m.Name, m.UID = o.Namespace(), o.Name(), types.UID(uidOf(o))
	m.ResourceVersion = o.String("metadata", "resourceVersion")
	return m
}

// mostText is how many bytes a note of an event may have, and a message of a condition has.
const mostText = 1000

// bounded is text, cut where it is too long.
func bounded(text string) string {
	const more = "..."
	if len(text) <= mostText {
		return text
	}
	end := mostText - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}
