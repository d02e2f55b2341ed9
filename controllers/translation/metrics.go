package translation

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// The metrics are those of all controllers in this process.
var (
	requestsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_push_requests_total",
		Help: "Answers of the backend, by method, by media type, and by class of their status, such as 2xx."},
		[]string{"method", "resource", "code"})
	requestSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waybill_push_request_duration_seconds",
		Help:    "How long requests to the backend took, answered or not, by method and media type.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 16)}, []string{"method", "resource"})
	errorsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_push_errors_total",
		Help: "Requests that the backend did not answer, by method and media type."}, []string{"method", "resource"})
	operationsTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_push_operations_total",
		Help: "Operations that were tried, by operation and by result: done, or the class of the failure."}, []string{"op", "result"})
	recordCount = prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_push_inventory_records",
		Help: "Resources of the backend in the inventory."})
	translationCount = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_push_translations",
		Help: "Translations, by state as of the last pass: pushed, waiting for another try, or wrong until a user changes something; " +
			"deleted ones count until nothing of them is left."}, []string{"state"})
	passSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "waybill_push_pass_duration_seconds",
		Help: "How long it took to plan what had changed and to apply it.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 18)})
)

// registerMetrics may be called again, by another manager of this process.
func registerMetrics() error {
	return live.RegisterShared(requestsTotal, requestSeconds, errorsTotal, operationsTotal, recordCount, translationCount, passSeconds)
}

// countRequest counts a request; one without an answer has status 0.
func countRequest(method, mediaType string, status int, took time.Duration) {
	requestSeconds.WithLabelValues(method, mediaType).Observe(took.Seconds())
	if status == 0 {
		errorsTotal.WithLabelValues(method, mediaType).Inc()
		return
	}
	requestsTotal.WithLabelValues(method, mediaType, fmt.Sprintf("%dxx", status/100)).Inc()
}
