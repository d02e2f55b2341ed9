package packagevariant

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// outcomes remembers what the last reconcile of each PackageVariant did, and counts them in metrics.
type outcomes struct {
	passes   *prometheus.CounterVec
	duration prometheus.Histogram
	variants *prometheus.GaugeVec

	mu   sync.Mutex
	last map[key]reconciler.Action
}

func newOutcomes() (*outcomes, error) {
	o := &outcomes{
		passes: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waybill_passes_total",
			Help: "Passes over waiting PackageVariants, by namespace."}, []string{"namespace"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "waybill_pass_duration_seconds",
			Help: "How long a pass took, from its first read to its last status.", Buckets: prometheus.ExponentialBuckets(0.01, 2, 14)}),
		variants: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "waybill_packagevariants",
			Help: "PackageVariants, by what their last reconcile did."}, []string{"namespace", "action"}),
		last: map[key]reconciler.Action{},
	}
	with := ctrlmetrics.Registry
	return o, errors.Join(live.Register(with, &o.passes), live.Register(with, &o.duration), live.Register(with, &o.variants))
}

// countBatch counts a batch.
func (o *outcomes) countBatch(namespace string, took time.Duration) {
	o.passes.WithLabelValues(namespace).Inc()
	o.duration.Observe(took.Seconds())
}

// set replaces the action of a PackageVariant; "" is that of one that was deleted.
func (o *outcomes) set(at key, now reconciler.Action) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if was := o.last[at]; was != "" {
		o.variants.WithLabelValues(at.Namespace, string(was)).Dec()
	}
	if delete(o.last, at); now != "" {
		o.last[at] = now
		o.variants.WithLabelValues(at.Namespace, string(now)).Inc()
	}
}

// withOverBudget adds the PackageVariants of a namespace that are over a budget to variants, sorted, each once.
func (o *outcomes) withOverBudget(namespace string, variants []key) []key {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := slices.Clone(variants)
	for k, last := range o.last {
		if k.Namespace == namespace && last == reconciler.Refused {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b key) int { return cmp.Compare(a.Name, b.Name) })
	return slices.Compact(all)
}
