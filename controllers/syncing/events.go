package syncing

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

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

// withoutOthers is a text for the consumers of one cluster: objects of others are nobody's business.
func withoutOthers(cluster, text string) string {
	return keyOf.ReplaceAllStringFunc(text, func(key string) string {
		if strings.HasPrefix(strings.TrimLeft(key, "("), cluster+"|") || strings.Contains(key, "("+cluster+"|") {
			return key
		}
		return "another object"
	})
}

// say tells the consumer what is done about a primary. What is at the destination is not named.
func (s *server) say(o *krm.Object, reason, text string) {
	if s == nil || s.tell == nil || o == nil {
		return
	}
	kind := corev1.EventTypeNormal
	if reason == eventError || reason == eventNoStatus {
		kind = corev1.EventTypeWarning
	}
	s.tell.Event(&corev1.ObjectReference{APIVersion: o.APIVersion(), Kind: o.Kind(), Namespace: o.Namespace(), Name: o.Name(),
		UID: types.UID(uidOf(o)), ResourceVersion: resourceVersion(o)}, kind, reason, bounded(text))
}
