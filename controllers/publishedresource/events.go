package publishedresource

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Reasons of events of primaries, which are the API syncer's.
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

// keyOf matches what may be a key of an object in some cluster.
var keyOf = regexp.MustCompile(`[^\s",;|]+\|[^\s",;]+`)

// withoutOthers is a text for the consumers of one cluster: it names no objects of other clusters.
func withoutOthers(cluster, text string) string {
	return keyOf.ReplaceAllStringFunc(text, func(key string) string {
		if strings.HasPrefix(strings.TrimLeft(key, "("), cluster+"|") || strings.Contains(key, "("+cluster+"|") {
			return key
		}
		return "another object"
	})
}

// event tells the consumer what is done about a primary. Objects at the destination are not named.
func (s *server) event(o *krm.Object, reason, text string) {
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
