package repository

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Presence says whether a Porch works beside this controller. Porch keeps the statuses of Repositories and schedules its work by
// them: then this controller writes only conditions of its own.
type Presence string

// The presences.
const (
	PorchDetected Presence = "auto" // a Porch is there if the API server knows its group
	PorchPresent  Presence = "present"
	PorchAbsent   Presence = "absent"
)

// porchGroup is the API group of package revisions. A Porch serves it behind the API server, or as a kind of its own.
const porchGroup = "porch.kpt.dev"

// porchDetector finds out whether a Porch works beside this controller. It asks the API server now and then.
type porchDetector struct {
	presence Presence
	hasGroup func(ctx context.Context, group string) (bool, error)
	interval time.Duration

	mu      sync.Mutex
	asked   time.Time
	present bool
}

func newPorchDetector(s *live.Server, o Options) *porchDetector {
	const longest = 15 * time.Second
	return &porchDetector{presence: o.Porch, hasGroup: s.HasGroup, interval: min(o.PollInterval, longest)}
}

// isPresent reports whether a Porch keeps the statuses of Repositories.
func (d *porchDetector) isPresent(ctx context.Context) (bool, error) {
	switch d.presence {
	case PorchPresent:
		return true, nil
	case PorchAbsent:
		return false, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.asked.IsZero() && time.Since(d.asked) < d.interval {
		return d.present, nil
	}
	present, err := d.hasGroup(ctx, porchGroup)
	if err == nil {
		d.asked, d.present = time.Now(), present
	}
	return present, err
}

// readyCondition is what this controller last wrote about the repository of obj: beside a Porch, in its own condition.
func readyCondition(obj *porchconfig.Repository) *metav1.Condition {
	if own := meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionWaybillReady); own != nil {
		return own
	}
	return meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionReady)
}
