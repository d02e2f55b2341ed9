package translation

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// meters are what the controller counts.
type meters struct {
	requests   *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	errors     *prometheus.CounterVec
	operations *prometheus.CounterVec
	records    prometheus.Gauge
	waiting    *prometheus.GaugeVec
	passes     prometheus.Histogram
}

// newMeters registers what is counted. What another manager of this process counts already is counted on.
func newMeters(with prometheus.Registerer) (*meters, error) {
	kind := []string{"method", "resource"}
	m := &meters{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_pusher_requests_total",
			Help: "Answers of the backend, by method, by media type, and by class of their status, such as 2xx."}, append(kind, "code")),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waybill_pusher_request_duration_seconds",
			Help:    "How long requests to the backend took, answered or not, by method and media type.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 16)}, kind),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_pusher_errors_total",
			Help: "Requests that the backend did not answer, by method and media type."}, kind),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_pusher_operations_total",
			Help: "Operations that were tried, by operation and by result: done, or the class of the failure."}, []string{"op", "result"}),
		records: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_pusher_inventory_records",
			Help: "Resources of the backend in the inventory."}),
		waiting: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_pusher_translations",
			Help: "Translations, by state as of the last pass: pushed, waiting for another try, or wrong until a user changes something; " +
				"those that are going away count while something of them is left."}, []string{"state"}),
		passes: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "waybill_pusher_pass_duration_seconds",
			Help: "How long it took to plan what had changed and to apply it.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 18)}),
	}
	return m, errors.Join(register(with, &m.requests), register(with, &m.durations), register(with, &m.errors),
		register(with, &m.operations), register(with, &m.records), register(with, &m.waiting), register(with, &m.passes))
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

// requested counts a request; one without an answer has status 0.
func (m *meters) requested(method, mediaType string, status int, took time.Duration) {
	m.durations.WithLabelValues(method, mediaType).Observe(took.Seconds())
	if status == 0 {
		m.errors.WithLabelValues(method, mediaType).Inc()
		return
	}
	m.requests.WithLabelValues(method, mediaType, fmt.Sprintf("%dxx", status/100)).Inc()
}
