package combinedstatus

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// meters are what the controller counts.
type meters struct {
	writes   *prometheus.CounterVec
	rows     prometheus.Counter
	reports  prometheus.Gauge
	waiting  prometheus.Gauge
	warnings *prometheus.GaugeVec
	passes   prometheus.Histogram
}

// newMeters registers what is counted. What another manager of this process counts already is counted on.
func newMeters(with prometheus.Registerer) (*meters, error) {
	m := &meters{
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_status_writes_total",
			Help: "Writes of what clusters report, by kind of object, by what was done, and by whether it succeeded."},
			[]string{"kind", "verb", "result"}),
		rows: prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_status_rows_total",
			Help: "Rows evaluated: one for each collector, object and cluster."}),
		reports: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_status_reports",
			Help: "WorkStatuses and ManifestWorks that are held."}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_status_waiting",
			Help: "Objects under a Binding whose results are to be evaluated, as of the last pass."}),
		warnings: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_status_warnings",
			Help: "What is odd now: results with a warning, reports with one, and reports about another workload space, which do not count."},
			[]string{"about"}),
		passes: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "waybill_status_pass_duration_seconds",
			Help: "How long it took to evaluate what had changed and to write it.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 14)}),
	}
	return m, errors.Join(register(with, &m.writes), register(with, &m.rows), register(with, &m.reports),
		register(with, &m.waiting), register(with, &m.warnings), register(with, &m.passes))
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

func (m *meters) wrote(a *action, err error) {
	result := "success"
	if err != nil {
		result = "error"
	}
	m.writes.WithLabelValues(string(a.what), string(a.verb), result).Inc()
}

// committed counts a commit, or the want of one.
func (m *meters) committed(result string) {
	m.writes.WithLabelValues("commit", string(create), result).Inc()
}
