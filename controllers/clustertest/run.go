package clustertest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// RunManager runs a manager with what add adds to it, until the test ends or stop is called. If the test fails it prints the
// log.
func RunManager(t testing.TB, cfg *rest.Config, log *Log, add func(manager.Manager) error) (stop func()) {
	t.Helper()
	cfg.QPS = -1
	shutdown := time.Second
	mgr, err := manager.New(cfg, manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}, GracefulShutdownTimeout: &shutdown})
	if err == nil {
		err = add(mgr)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		err := <-ended
		if t.Failed() {
			t.Logf("the manager ended with %v; the controller's log:\n%s", err, log)
		}
	})
	t.Cleanup(stop)
	return stop
}

// Metrics returns the counters and gauges of this process, by name and the values of their labels.
func Metrics(t testing.TB) map[string]float64 {
	t.Helper()
	families, err := metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := []string{f.GetName()}
			for _, l := range m.GetLabel() {
				name = append(name, l.GetValue())
			}
			out[strings.Join(name, " ")] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return out
}

// MetricNames returns the names of the counters and gauges that have values and begin with a prefix.
func MetricNames(t testing.TB, prefix string) (all []string) {
	t.Helper()
	for name := range Metrics(t) {
		if name, _, _ = strings.Cut(name, " "); strings.HasPrefix(name, prefix) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
