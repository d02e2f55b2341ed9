package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// Register registers a collector. If another manager of this process registered the same one, it is used instead.
func Register[C prometheus.Collector](with prometheus.Registerer, collector *C) error {
	err := with.Register(*collector)
	var registered prometheus.AlreadyRegisteredError
	if errors.As(err, &registered) {
		if same, ok := registered.ExistingCollector.(C); ok {
			*collector, err = same, nil
		}
	}
	return err
}

// RegisterShared registers collectors that all managers of this process share.
func RegisterShared(collectors ...prometheus.Collector) error {
	for _, c := range collectors {
		if err := metrics.Registry.Register(c); err != nil && !errors.As(err, new(prometheus.AlreadyRegisteredError)) {
			return fmt.Errorf("register metrics: %w", err)
		}
	}
	return nil
}

// WarningCounter implements rest.WarningHandlerWithContext. It logs nothing: a warning quotes what was written, which may
// come from a Secret.
type WarningCounter struct{ prometheus.Counter }

// HandleWarningHeaderWithContext counts a warning.
func (w WarningCounter) HandleWarningHeaderWithContext(context.Context, int, string, string) { w.Inc() }

// Result names the result of a write in metrics: done, retry or error.
func Result(err error) string {
	switch {
	case errors.Is(err, ErrConflict):
		return "retry"
	case err != nil:
		return "error"
	}
	return "done"
}

// Forget removes the values of metrics under a label.
func Forget(label, value string, metrics ...interface{ DeletePartialMatch(prometheus.Labels) int }) {
	for _, m := range metrics {
		m.DeletePartialMatch(prometheus.Labels{label: value})
	}
}
