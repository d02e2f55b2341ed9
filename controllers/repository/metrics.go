package repository

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// metrics counts fetches.
type metrics struct {
	failed   *prometheus.CounterVec
	lastSync *prometheus.GaugeVec
}

func newMetrics() (*metrics, error) {
	labels := []string{"namespace", "repository"}
	m := &metrics{
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_repository_errors_total",
			Help: "Fetches of a Repository that failed."}, labels),
		lastSync: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_repository_last_sync_timestamp_seconds",
			Help: "When a Repository was last fetched without an error."}, labels),
	}
	return m, errors.Join(live.Register(ctrlmetrics.Registry, &m.failed), live.Register(ctrlmetrics.Registry, &m.lastSync))
}

// fetched counts a fetch.
func (m *metrics) fetched(at key, e *entry) {
	if e.err != nil {
		m.failed.WithLabelValues(at.Namespace, at.Name).Inc()
		return
	}
	m.lastSync.WithLabelValues(at.Namespace, at.Name).Set(float64(e.fetched.Unix()))
}

func (m *metrics) forget(at key) {
	m.failed.DeleteLabelValues(at.Namespace, at.Name)
	m.lastSync.DeleteLabelValues(at.Namespace, at.Name)
}
