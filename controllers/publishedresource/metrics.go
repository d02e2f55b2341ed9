package publishedresource

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// metrics are what the controller counts.
type metrics struct {
	passes     *prometheus.HistogramVec
	operations *prometheus.CounterVec
	primaries  *prometheus.GaugeVec
	types      prometheus.Gauge
	warnings   prometheus.Counter
}

// newMetrics registers what is counted. What another manager of this process counts already is counted on.
func newMetrics(with prometheus.Registerer) (*metrics, error) {
	of := "publishedresource"
	m := &metrics{
		passes: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waybill_sync_pass_duration_seconds",
			Help: "How long passes of a PublishedResource took, writes included.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 18)},
			[]string{of}),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_sync_operations_total",
			Help: "Writes to copies, statuses and finalizers, by action and by result: done, retry where another client was faster, or error."},
			[]string{of, "action", "result"}),
		primaries: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_sync_objects",
			Help: "Objects of consumers, by how they are: well, failing, or detached, of which copies are left and nothing else."},
			[]string{of, "state"}),
		types: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_sync_followed_types",
			Help: "Types whose objects are kept in memory, of all workspaces and PublishedResources together."}),
		warnings: prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_sync_warnings_total",
			Help: "Warnings of API servers, such as of unknown fields; they are not repeated, for they may hold what is secret."}),
	}
	return m, errors.Join(live.Register(with, &m.passes), live.Register(with, &m.operations), live.Register(with, &m.primaries),
		live.Register(with, &m.types),
		live.Register(with, &m.warnings))
}

// Actions that are counted besides the engine's.
const (
	actionAddFinalizer    applyset.Action = "add-finalizer"
	actionRemoveFinalizer applyset.Action = "remove-finalizer"
	actionStatus          applyset.Action = "status"
	actionAnnotate        applyset.Action = "notice"
)

// operation counts an operation.
func (m *metrics) operation(name string, action applyset.Action, err error) {
	m.operations.WithLabelValues(name, string(action), live.Result(err)).Inc()
}

// forget counts nothing of a PublishedResource any more.
func (m *metrics) forget(name string) {
	live.Forget("publishedresource", name, m.passes, m.operations, m.primaries)
}
