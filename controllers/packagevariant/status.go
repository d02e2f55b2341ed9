package packagevariant

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// statusWriter writes finalizers, statuses and events of PackageVariants. It overwrites nothing that it has not read.
type statusWriter struct {
	client   client.Client
	server   client.Reader // uncached
	recorder live.Recorder
	options  Options
	contests *contests
}

// report writes a report into the status and into events. It removes the finalizer of a PackageVariant that is being
// deleted and succeeded.
func (w *statusWriter) report(ctx context.Context, pv *porchconfig.PackageVariant, rep reconciler.Report) error {
	changed, err := w.writeStatus(ctx, pv, rep)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	w.recordEvents(pv, rep, changed)
	if pv.DeletionTimestamp.IsZero() || rep.Err != nil {
		return nil
	}
	return client.IgnoreNotFound(w.removeFinalizer(ctx, pv))
}

// writeStatus writes a status that has changed, and reports whether Ready says something else now. A report on an earlier
// spec is dropped: the new spec has its own event.
func (w *statusWriter) writeStatus(ctx context.Context, pv *porchconfig.PackageVariant, rep reconciler.Report,
) (changed bool, err error) {
	defer w.contests.begin(client.ObjectKeyFromObject(pv))()
	err = w.retryOnConflict(ctx, pv, func(now *porchconfig.PackageVariant) error {
		after := now.DeepCopy()
		applyReport(&after.Status, rep, w.options.Now())
		if now.Generation != pv.Generation || equality.Semantic.DeepEqual(now.Status, after.Status) {
			return nil
		}
		changed = readySummary(now) != readySummary(after)
		err := w.client.Status().Patch(ctx, after, client.MergeFromWithOptions(now, client.MergeFromWithOptimisticLock{}),
			client.FieldOwner(live.FieldManager))
		if err == nil {
			w.contests.record(after)
			after.DeepCopyInto(pv)
		}
		return err
	})
	return changed, err
}

// retryOnConflict calls write with a copy of pv and, after a conflict, with what the API server has now of the same object. It ends
// without an error where that belongs to another shard by now, which writes its own report.
func (w *statusWriter) retryOnConflict(ctx context.Context, pv *porchconfig.PackageVariant,
	write func(now *porchconfig.PackageVariant) error) error {
	now := pv.DeepCopy()
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if now == nil {
			now = &porchconfig.PackageVariant{}
			if err := w.server.Get(ctx, client.ObjectKeyFromObject(pv), now); err != nil {
				return err
			}
		}
		latest := now
		now = nil
		if latest.UID != pv.UID || !w.options.Shard.Owns(latest) {
			return nil
		}
		return write(latest)
	})
}

// applyReport puts a report into a status. A report that failed leaves the targets and the injection of the last success.
func applyReport(s *porchconfig.PackageVariantStatus, rep reconciler.Report, now time.Time) {
	for _, c := range rep.Conditions {
		live.SetCondition(&s.Conditions, c, now)
	}
	for _, kind := range []string{porchconfig.ConditionRendered, porchconfig.ConditionConfigInjected, porchconfig.ConditionGatesMet} {
		if rep.Err == nil && meta.FindStatusCondition(rep.Conditions, kind) == nil {
			meta.RemoveStatusCondition(&s.Conditions, kind)
		}
	}
	if meta.FindStatusCondition(rep.Conditions, porchconfig.ConditionContested) == nil {
		meta.RemoveStatusCondition(&s.Conditions, porchconfig.ConditionContested)
	}
	if rep.Targets != nil {
		s.DownstreamTargets = targets(s.DownstreamTargets, rep.Targets)
	}
}

// targets are these revisions, each with what the status holds of its render.
func targets(before []porchconfig.DownstreamTarget, names []string) (now []porchconfig.DownstreamTarget) {
	for _, name := range names {
		target := porchconfig.DownstreamTarget{Name: name}
		if i := slices.IndexFunc(before, func(t porchconfig.DownstreamTarget) bool { return t.Name == name }); i >= 0 {
			target = before[i]
		}
		now = append(now, target)
	}
	return now
}

// readySummary is what Ready says, and Stalled too: Ready always says the same of an invalid spec.
func readySummary(pv *porchconfig.PackageVariant) (summary [2]metav1.Condition) {
	for i, kind := range []string{porchconfig.ConditionStalled, porchconfig.ConditionReady} {
		if c := meta.FindStatusCondition(pv.Status.Conditions, kind); c != nil {
			summary[i] = metav1.Condition{Status: c.Status, Message: c.Message}
		}
	}
	return summary
}

// recordEvents records what was done, and failures that are new.
func (w *statusWriter) recordEvents(pv *porchconfig.PackageVariant, rep reconciler.Report, changed bool) {
	switch {
	case rep.Action == reconciler.Created:
		w.recorder.Normal(pv, nil, "DraftCreated", "Create", rep.Draft+": "+rep.Message)
	case rep.Action == reconciler.Updated && pv.DeletionTimestamp.IsZero():
		w.recorder.Normal(pv, nil, "Updated", "Update", rep.Message)
	case rep.Action == reconciler.Updated:
		w.recorder.Normal(pv, nil, "Retired", "Retire", rep.Message)
	case rep.Err == nil && len(rep.Kept) > 0 && !pv.DeletionTimestamp.IsZero():
		w.recorder.Warning(pv, "Kept", "Retire", rep.Message)
	case rep.Err == nil || !changed:
	case rep.Action == reconciler.Kept:
		w.recorder.Warning(pv, "Kept", "Reconcile", rep.Message)
	case rep.Action == reconciler.Blocked:
		w.recorder.Warning(pv, "Blocked", "Reconcile", rep.Message)
	case meta.FindStatusCondition(rep.Conditions, porchconfig.ConditionContested) != nil:
		w.recorder.Warning(pv, "Contested", "Reconcile", rep.Message)
	default:
		w.recorder.Warning(pv, "Failed", "Reconcile", rep.Message)
	}
}
