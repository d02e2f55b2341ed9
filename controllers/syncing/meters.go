package syncing

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/pkg/correspond"
)

// meters are what the controller counts.
type meters struct {
	passes     *prometheus.HistogramVec
	operations *prometheus.CounterVec
	primaries  *prometheus.GaugeVec
	types      prometheus.Gauge
	warnings   prometheus.Counter
}

// newMeters registers what is counted. What another manager of this process counts already is counted on.
func newMeters(with prometheus.Registerer) (*meters, error) {
	of := "publishedresource"
	m := &meters{
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
	return m, errors.Join(register(with, &m.passes), register(with, &m.operations), register(with, &m.primaries), register(with, &m.types),
		register(with, &m.warnings))
}

// register registers a collector, or puts the one in its place that is registered already.
func register[C prometheus.Collector](with prometheus.Registerer, collector *C) error {
	err := with.Register(*collector)
	var there prometheus.AlreadyRegisteredError
	if errors.As(err, &there) {
		if same, ok := there.ExistingCollector.(C); ok {
			*collector, err = same, nil
		}
	}
	return err
}

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext. Nothing is logged: a warning quotes
// what was written, and that may come from a Secret.
func (m *meters) HandleWarningHeaderWithContext(context.Context, int, string, string) {
	m.warnings.Inc()
}

// Actions that are counted besides the engine's.
const (
	actionBind   correspond.Action = "add-finalizer"
	actionFree   correspond.Action = "remove-finalizer"
	actionStatus correspond.Action = "status"
	actionNotice correspond.Action = "notice"
)

// operation counts an operation.
func (m *meters) operation(name string, action correspond.Action, err error) {
	result := "done"
	switch {
	case errors.Is(err, errFaster):
		result = "retry"
	case err != nil:
		result = "error"
	}
	m.operations.WithLabelValues(name, string(action), result).Inc()
}

// forget counts nothing of a PublishedResource any more.
func (m *meters) forget(name string) {
	of := prometheus.Labels{"publishedresource": name}
	for _, v := range []interface{ DeletePartialMatch(prometheus.Labels) int }{m.passes, m.operations, m.primaries} {
		v.DeletePartialMatch(of)
	}
}
