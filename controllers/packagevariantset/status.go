package packagevariantset

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// report writes a report into the status of a set that it changes, and records events.
func (c *Controller) report(ctx context.Context, set *v1alpha2.PackageVariantSet, rep variantset.Report) error {
	before := set.DeepCopy()
	for _, condition := range rep.Conditions {
		live.SetCondition(&set.Status.Conditions, condition, c.options.Now())
	}
	if wrote := len(rep.Created) + len(rep.Updated) + len(rep.Deleted); wrote > 0 {
		c.options.Log.Info("set", "namespace", set.Namespace, "set", set.Name, "created", len(rep.Created), "updated", len(rep.Updated),
			"deleted", len(rep.Deleted))
	}
	c.recordWrites(set, "VariantsCreated", "Create", rep.Created)
	c.recordWrites(set, "VariantsUpdated", "Update", rep.Updated)
	c.recordWrites(set, "VariantsDeleted", "Delete", rep.Deleted)
	if equality.Semantic.DeepEqual(before.Status, set.Status) {
		return nil
	}
	if rep.Err != nil {
		action := "Reconcile"
		if ready := meta.FindStatusCondition(rep.Conditions, porchconfig.ConditionReady); ready != nil {
			action = ready.Reason
		}
		c.recorder.Warning(set, "Failed", action, rep.Err.Error())
	}
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return client.IgnoreNotFound(c.client.Status().Patch(ctx, set, patch))
}

// recordWrites records an event for PackageVariants that a set wrote.
func (c *Controller) recordWrites(set *v1alpha2.PackageVariantSet, reason, action string, names []string) {
	if len(names) == 0 {
		return
	}
	first := &porchconfig.PackageVariant{
		TypeMeta:   metav1.TypeMeta{APIVersion: porchconfig.APIVersion, Kind: porchconfig.KindPackageVariant},
		ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: names[0]},
	}
	c.recorder.Normal(set, first, reason, action, fmt.Sprintf("%d: %s", len(names), strings.Join(names, ", ")))
}
