package packagevariant

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// specChanged reports whether an update of a PackageVariant needs a reconcile. The controller's own writes, of the status
// and the finalizer, do not. An update that changes nothing is a resync of the informer.
func specChanged(old, now client.Object) bool {
	lostFinalizer := controllerutil.ContainsFinalizer(old, finalizer) && !controllerutil.ContainsFinalizer(now, finalizer)
	return old.GetResourceVersion() == now.GetResourceVersion() || lostFinalizer || live.Changed(old, now)
}

// needsReconcile reports whether an update of a PackageVariant needs a reconcile: of its spec, or of its status by another controller.
func (c *Controller) needsReconcile(old, now client.Object) bool {
	before, ok := old.(*porchconfig.PackageVariant)
	after, both := now.(*porchconfig.PackageVariant)
	return specChanged(old, now) || ok && both && !equality.Semantic.DeepEqual(before.Status, after.Status) && c.contests.overwritten(after)
}

// variantRequests enqueues a PackageVariant and, when it is being deleted, those that may take over its revisions.
func (c *Controller) variantRequests(ctx context.Context, obj client.Object) []reconcile.Request {
	requests := []reconcile.Request{c.queue.add(client.ObjectKeyFromObject(obj))}
	if pv, ok := obj.(*porchconfig.PackageVariant); ok && !pv.DeletionTimestamp.IsZero() {
		for _, other := range c.inNamespace(ctx, pv.Namespace) {
			if mayTakeOver(other, pv) {
				c.queue.add(client.ObjectKeyFromObject(other))
			}
		}
	}
	return requests // one, as they all are of one namespace
}

// mayTakeOver reports whether pv may take over the revisions of one that is being deleted: it is of the same set, or
// adopts packages, and wants the same package.
func mayTakeOver(pv, deleted *porchconfig.PackageVariant) bool {
	set, before, d := variant.SetOf(deleted), deleted.Spec.Downstream, pv.Spec.Downstream
	return before != nil && d != nil && pv.Name != deleted.Name && (pv.Spec.Adopts() || set != "" && variant.SetOf(pv) == set) &&
		variant.EndAlike(d.Package, before.Package)
}

// budgetRequests enqueues all PackageVariants of a budget's namespace.
func (c *Controller) budgetRequests(ctx context.Context, budget client.Object) (requests []reconcile.Request) {
	for _, pv := range c.inNamespace(ctx, budget.GetNamespace()) {
		requests = append(requests, c.queue.add(client.ObjectKeyFromObject(pv)))
	}
	return slices.Compact(requests)
}

// repositoryRequests enqueues the PackageVariants that a change in a repository affects, but for those in except.
func (c *Controller) repositoryRequests(ctx context.Context, repo key, what snapshot.Change, except map[key]bool,
) (requests []reconcile.Request) {
	for _, pv := range c.inNamespace(ctx, repo.Namespace) {
		if k := client.ObjectKeyFromObject(pv); !except[k] && affects(what, repo.Name, pv) {
			requests = append(requests, c.queue.add(k))
		}
	}
	return slices.Compact(requests)
}

// affects reports whether a change in a repository may need a reconcile of pv: of its upstream or downstream package, or
// of a revision that it made.
func affects(what snapshot.Change, repo string, pv *porchconfig.PackageVariant) bool {
	if down := pv.Spec.Downstream; affectsUpstream(what, repo, pv) || down != nil && down.Repo == repo && what.Affects(down.Package) {
		return true
	}
	return what.Owners[variant.Owner(pv)] || what.All && (!pv.DeletionTimestamp.IsZero() || hasTargetIn(repo, pv))
}

// affectsUpstream reports whether a change touches the upstream package of pv.
func affectsUpstream(what snapshot.Change, repo string, pv *porchconfig.PackageVariant) bool {
	up := pv.Spec.Upstream
	return up != nil && up.Repo == repo && what.Affects(up.Package)
}

// hasTargetIn reports whether the status of pv names a revision of a repository.
func hasTargetIn(repo string, pv *porchconfig.PackageVariant) bool {
	return slices.ContainsFunc(pv.Status.DownstreamTargets, func(t porchconfig.DownstreamTarget) bool {
		return strings.HasPrefix(t.Name, repo+".")
	})
}
