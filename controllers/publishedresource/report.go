package publishedresource

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// metrics are what the controller counts.
type metrics struct {
	passes     *prometheus.HistogramVec
	operations *prometheus.CounterVec
	primaries  *prometheus.GaugeVec
	types      prometheus.Gauge
	warnings   prometheus.Counter
}

// newMetrics registers the metrics, or takes those that another manager of this process registered.
func newMetrics(with prometheus.Registerer) (*metrics, error) {
	of := "publishedresource"
	m := &metrics{
		passes: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waybill_sync_pass_duration_seconds",
			Help: "How long passes of a PublishedResource took, writes included.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 18)},
			[]string{of}),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_sync_operations_total",
			Help: "Writes to copies, statuses and finalizers, by action and by result: done, retry if another client was faster, or error."},
			[]string{of, "action", "result"}),
		primaries: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_sync_objects",
			Help: "Objects of consumers, by state: well, failing, or detached, which means that only copies are left."},
			[]string{of, "state"}),
		types: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_sync_followed_types",
			Help: "Types whose objects are kept in memory, of all workspaces and PublishedResources together."}),
		warnings: prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_sync_warnings_total",
			Help: "Warnings of API servers, such as of unknown fields; they are not logged, because they may contain secrets."}),
	}
	return m, errors.Join(live.Register(with, &m.passes), live.Register(with, &m.operations), live.Register(with, &m.primaries),
		live.Register(with, &m.types),
		live.Register(with, &m.warnings))
}

// Actions that are counted, besides those of package applyset.
const (
	actionAddFinalizer    applyset.Action = "add-finalizer"
	actionRemoveFinalizer applyset.Action = "remove-finalizer"
	actionStatus          applyset.Action = "status"
	actionAnnotate        applyset.Action = "notice"
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
