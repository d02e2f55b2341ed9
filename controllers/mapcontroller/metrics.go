package mapcontroller

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// metrics are the metrics of the controller.
type metrics struct {
	passes     *prometheus.HistogramVec
	operations *prometheus.CounterVec
	requests   *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	parents    *prometheus.GaugeVec
	objects    *prometheus.GaugeVec
	types      prometheus.Gauge
	warnings   prometheus.Counter
}

// newMetrics registers the metrics. Several managers of one process share them.
func newMetrics(with prometheus.Registerer) (*metrics, error) {
	of := "mapcontroller"
	m := &metrics{
		passes: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waybill_map_pass_duration_seconds",
			Help: "How long passes of a MapController took, hooks and writes included.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 18)},
			[]string{of}),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_map_operations_total",
			Help: "Operations on outputs, by action and by result: done, retry where another client was faster, or error."},
			[]string{of, "action", "result"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_map_webhook_requests_total",
			Help: "Requests to webhooks, by hook and by class of their status, such as 2xx; none for no answer."}, []string{of, "hook", "code"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waybill_map_webhook_request_duration_seconds",
			Help: "How long requests to webhooks took, answered or not.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 16)},
			[]string{of, "hook"}),
		parents: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_map_parents",
			Help: "Parents, by whether they have errors: well or failing."}, []string{of, "state"}),
		objects: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_map_objects",
			Help: "Objects of all types that a MapController reads."}, []string{of}),
		types: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_map_followed_types",
			Help: "Types whose objects are kept in memory, for all MapControllers together."}),
		warnings: prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_map_warnings_total",
			Help: "Warnings of the API server, such as of unknown fields; their texts are not logged, as they may quote Secrets."}),
	}
	return m, errors.Join(live.Register(with, &m.passes), live.Register(with, &m.operations), live.Register(with, &m.requests),
		live.Register(with, &m.durations), live.Register(with, &m.parents), live.Register(with, &m.objects),
		live.Register(with, &m.types), live.Register(with, &m.warnings))
}

// operation counts an operation.
func (m *metrics) operation(name string, action applyset.Action, err error) {
	m.operations.WithLabelValues(name, string(action), live.Result(err)).Inc()
}

// observer counts requests to the webhooks of a MapController.
func (m *metrics) observer(name string) func(hook string, status int, took time.Duration) {
	return func(hook string, status int, took time.Duration) {
		code := "none"
		if status > 0 {
			code = fmt.Sprintf("%dxx", status/100)
		}
		m.requests.WithLabelValues(name, hook, code).Inc()
		m.durations.WithLabelValues(name, hook).Observe(took.Seconds())
	}
}

// forget removes the metrics of a MapController.
func (m *metrics) forget(name string) {
	live.Forget("mapcontroller", name, m.passes, m.operations, m.requests, m.durations, m.parents, m.objects)
}
