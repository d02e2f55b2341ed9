package packagevariant

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

var (
	then = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now  = then.Add(time.Hour + time.Millisecond)
)

func condition(kind string, status metav1.ConditionStatus, message string, since time.Time) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: "Because", Message: message, LastTransitionTime: metav1.NewTime(since)}
}

func TestApplyReport(t *testing.T) {
	rendered := porchconfig.DownstreamTarget{Name: "a", RenderStatus: porchconfig.RenderStatus{Result: json.RawMessage(`{}`)}}
	was := porchconfig.PackageVariantStatus{
		Conditions:        []metav1.Condition{condition("Ready", "True", "well", then), condition("ConfigInjected", "True", "x", then), condition("Others", "True", "y", then)},
		DownstreamTargets: []porchconfig.DownstreamTarget{rendered},
	}
	for name, tc := range map[string]struct {
		reason string
		report reconciler.Report
		want   porchconfig.PackageVariantStatus
	}{
		"the same": {
			reason: "the same trouble keeps its time, and render statuses are carried over",
			report: reconciler.Report{Conditions: []metav1.Condition{condition("Ready", "True", "well", time.Time{}), condition("ConfigInjected", "True", "x", time.Time{})}, Targets: []string{"a"}},
			want:   was,
		},
		"other words": {
			reason: "a condition that does not turn keeps its time; the condition of removed injection points is removed, what is others' stays",
			report: reconciler.Report{Conditions: []metav1.Condition{condition("Ready", "True", "better", time.Time{})}, Targets: []string{"b", "a"}},
			want: porchconfig.PackageVariantStatus{
				Conditions:        []metav1.Condition{condition("Ready", "True", "better", then), condition("Others", "True", "y", then)},
				DownstreamTargets: []porchconfig.DownstreamTarget{{Name: "b"}, rendered},
			},
		},
		"failure": {
			reason: "a turn gets the time, in seconds; what is not known stays",
			report: reconciler.Report{Conditions: []metav1.Condition{condition("Ready", "False", "ill", time.Time{})}, Err: errors.New("ill")},
			want: porchconfig.PackageVariantStatus{
				Conditions:        []metav1.Condition{condition("Ready", "False", "ill", then.Add(time.Hour)), was.Conditions[1], was.Conditions[2]},
				DownstreamTargets: []porchconfig.DownstreamTarget{rendered},
			},
		},
		"released": {
			reason: "a variant that keeps nothing has no targets",
			report: reconciler.Report{Targets: []string{}},
			want:   porchconfig.PackageVariantStatus{Conditions: []metav1.Condition{was.Conditions[0], was.Conditions[2]}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := was.DeepCopy()
			applyReport(got, tc.report, now)
			if diff := cmp.Diff(tc.want, *got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			again := got.DeepCopy()
			applyReport(again, tc.report, now.Add(time.Hour))
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("the same report twice is the same status (-once +twice):\n%s", diff)
			}
		})
	}
}
