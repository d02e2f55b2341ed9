package cluster

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// record puts what came of a variant into its status. What the report does not know stays: the
// targets and the injection of the last time that it went well. A condition keeps the time of its
// last turn, so that the same report twice is the same status.
func record(s *porchconfig.PackageVariantStatus, rep packagevariant.Report, now time.Time) {
	for _, c := range rep.Conditions {
		setCondition(&s.Conditions, c, now)
	}
	if rep.Err == nil && meta.FindStatusCondition(rep.Conditions, porchconfig.ConditionConfigInjected) == nil {
		meta.RemoveStatusCondition(&s.Conditions, porchconfig.ConditionConfigInjected)
	}
	if rep.Targets != nil {
		s.DownstreamTargets = targets(s.DownstreamTargets, rep.Targets)
	}
}

// setCondition sets one condition. Times are kept to the second, as the API server keeps them.
func setCondition(conditions *[]metav1.Condition, c metav1.Condition, now time.Time) {
	c.Message = bounded(c.Message, mostMessage)
	c.LastTransitionTime = metav1.NewTime(now.Truncate(time.Second))
	meta.SetStatusCondition(conditions, c)
}

// targets are the revisions that are kept now, each with what is known of its render.
func targets(before []porchconfig.DownstreamTarget, names []string) (now []porchconfig.DownstreamTarget) {
	for _, name := range names {
		known := slices.IndexFunc(before, func(t porchconfig.DownstreamTarget) bool { return t.Name == name })
		if known >= 0 {
			now = append(now, before[known])
		} else {
			now = append(now, porchconfig.DownstreamTarget{Name: name})
		}
	}
	return now
}
