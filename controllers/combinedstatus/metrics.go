package combinedstatus

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/status/plan"
)

// The metrics are those of all controllers in this process.
var (
	writesTotal = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_status_writes_total",
		Help: "Writes of results, by kind of object, by verb, and by whether the write succeeded."},
		[]string{"kind", "verb", "result"})
	rowsTotal = prometheus.NewCounter(prometheus.CounterOpts{Name: "waybill_status_rows_total",
		Help: "Rows evaluated: one for each collector, object and cluster."})
	reportCount = prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_status_reports",
		Help: "WorkStatuses and ManifestWorks in memory."})
	waitingCount = prometheus.NewGauge(prometheus.GaugeOpts{Name: "waybill_status_waiting",
		Help: "Objects of Bindings that wait for evaluation, as of the last pass."})
	warningCount = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_status_warnings",
		Help: "Current warnings: results with a warning, reports with a warning, and reports about another workload space, which do not count."},
		[]string{"about"})
	passSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "waybill_status_pass_duration_seconds",
		Help: "How long a pass took to evaluate changes and to write results.", Buckets: prometheus.ExponentialBuckets(0.001, 2, 14)})
)

// registerMetrics may be called again, by another manager of this process.
func registerMetrics() error {
	return live.RegisterShared(writesTotal, rowsTotal, reportCount, waitingCount, warningCount, passSeconds)
}

func countWrite(target plan.Target, verb plan.Verb, err error) {
	result := "success"
	if err != nil {
		result = "error"
	}
	writesTotal.WithLabelValues(string(target), string(verb), result).Inc()
}
