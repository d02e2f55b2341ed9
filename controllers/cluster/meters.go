package cluster

import (
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
)

// meters are what the controllers count.
type meters struct {
	passes        *prometheus.CounterVec
	duration      prometheus.Histogram
	variants      *prometheus.GaugeVec
	refreshErrors *prometheus.CounterVec
	lastSync      *prometheus.GaugeVec

	mu   sync.Mutex
	last map[key]packagevariant.Action
}

// newMeters registers what is counted. What another manager of this process counts already is
// counted on.
func newMeters(with prometheus.Registerer) (*meters, error) {
	m := &meters{
		passes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_passes_total",
			Help: "Passes over PackageVariants that wait, by namespace."}, []string{"namespace"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "waybill_pass_duration_seconds",
			Help: "How long a pass took, from its first read to its last status.", Buckets: prometheus.ExponentialBuckets(0.01, 2, 14)}),
		variants: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_packagevariants",
			Help: "PackageVariants, by what their last reconcile did."}, []string{"namespace", "action"}),
		refreshErrors: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_repository_errors_total",
			Help: "Looks at a Repository that failed."}, []string{"namespace", "repository"}),
		lastSync: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_repository_last_sync_timestamp_seconds",
			Help: "When a Repository was last looked at without error."}, []string{"namespace", "repository"}),
		last: map[key]packagevariant.Action{},
	}
	return m, errors.Join(register(with, &m.passes), register(with, &m.duration), register(with, &m.variants),
		register(with, &m.refreshErrors), register(with, &m.lastSync))
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

func (m *meters) passed(namespace string, took time.Duration) {
	m.passes.WithLabelValues(namespace).Inc()
	m.duration.Observe(took.Seconds())
}

// did counts a variant under what was done for it last; "" says that it is gone.
func (m *meters) did(at key, action packagevariant.Action) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if was := m.last[at]; was != "" {
		m.variants.WithLabelValues(at.Namespace, string(was)).Dec()
	}
	delete(m.last, at)
	if action != "" {
		m.last[at] = action
		m.variants.WithLabelValues(at.Namespace, string(action)).Inc()
	}
}

// looked counts a look at a repository.
func (m *meters) looked(at key, e *entry) {
	if e.err != nil {
		m.refreshErrors.WithLabelValues(at.Namespace, at.Name).Inc()
		return
	}
	m.lastSync.WithLabelValues(at.Namespace, at.Name).Set(float64(e.looked.Unix()))
}

func (m *meters) forgetRepository(at key) {
	m.refreshErrors.DeleteLabelValues(at.Namespace, at.Name)
	m.lastSync.DeleteLabelValues(at.Namespace, at.Name)
}
