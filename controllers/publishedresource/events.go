package publishedresource

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Reasons of events of primaries. They are those of kcp's API syncer.
const (
	eventAccepted     = "ObjectAccepted"
	eventPlaced       = "ObjectPlaced"
	eventSynced       = "ObjectSynced"
	eventStatusSynced = "ObjectStatusSynced"
	eventCleanup      = "ObjectCleanup"
	eventDeleted      = "ObjectDeleted"
	eventError        = "ReconcilingError"
	eventNoStatus     = "StatusSubresourceMissing"
)

// recordEvent tells the consumer what was done for a primary. It names no objects at the destination.
func (s *server) recordEvent(o *krm.Object, reason, text string) {
	if s == nil || s.recorder == nil || o == nil {
		return
	}
	eventType := corev1.EventTypeNormal
	if reason == eventError || reason == eventNoStatus {
		eventType = corev1.EventTypeWarning
	}
	s.recorder.Event(&corev1.ObjectReference{APIVersion: o.APIVersion(), Kind: o.Kind(), Namespace: o.Namespace(), Name: o.Name(),
		UID: types.UID(live.UID(o)), ResourceVersion: live.ResourceVersion(o)}, eventType, reason, live.Truncate(text))
}
