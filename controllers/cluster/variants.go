package cluster

import (
	"context"
	"maps"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// variants works the cluster's PackageVariants, those that wait in a namespace together.
type variants struct {
	cache        cache.Cache
	writer       *writer
	reconciler   packagevariant.Reconciler // but for what each pass has of its own
	repositories *repositories
	sources      *sources
	queue        *queue
	held         heldBack
	options      Options
	meters       *meters
}

// Start works variants until ctx ends. A manager calls it in the process that leads.
func (v *variants) Start(ctx context.Context) error {
	v.sources.start(ctx)
	for object, heard := range map[client.Object]func(old, now client.Object){
		&porchconfig.PackageVariant{}: func(old, now client.Object) { v.variantHeard(ctx, old, now) },
		&waybill.ChangeBudget{}:       func(old, now client.Object) { v.budgetHeard(ctx, old, now) },
	} {
		stop, err := listen(ctx, v.cache, object, heard)
		if err != nil {
			return err
		}
		defer stop()
	}
	v.queue.run(ctx)
	return nil
}

// NeedLeaderElection says that one process works at a time.
func (v *variants) NeedLeaderElection() bool { return true }

// variantHeard has a variant worked that is new, gone or different in what counts. What we write
// ourselves is not: a status, and our finalizer.
func (v *variants) variantHeard(ctx context.Context, old, now client.Object) {
	was, _ := old.(*porchconfig.PackageVariant)
	pv, ok := now.(*porchconfig.PackageVariant)
	if !ok || was != nil && !counts(was, pv) {
		return
	}
	v.queue.keys.Add(client.ObjectKeyFromObject(pv))
	if !pv.DeletionTimestamp.IsZero() {
		v.wakeHeirs(ctx, pv)
	}
}

// wakeHeirs has the variants worked that may take over what one has made which is being deleted, or is gone: those of the
// same set, and those that adopt.
func (v *variants) wakeHeirs(ctx context.Context, gone *porchconfig.PackageVariant) {
	set, was := variant.SetOf(gone), gone.Spec.Downstream
	if was == nil {
		return
	}
	for _, pv := range v.all(ctx, gone.Namespace) {
		heir := pv.Spec.Adopts() || set != "" && variant.SetOf(pv) == set
		if d := pv.Spec.Downstream; pv.Name != gone.Name && d != nil && heir && variant.EndAlike(d.Package, was.Package) {
			v.queue.keys.Add(client.ObjectKeyFromObject(pv))
		}
	}
}

// budgetHeard has all variants of a namespace worked when one of its budgets says something else.
func (v *variants) budgetHeard(ctx context.Context, old, now client.Object) {
	if old == nil || differs(old, now) {
		for _, pv := range v.all(ctx, now.GetNamespace()) {
			v.queue.keys.Add(client.ObjectKeyFromObject(pv))
		}
	}
}

// counts reports whether a variant has to be worked because it changed. Nothing having changed is
// the informer's way to have everything looked at again.
func counts(was, now *porchconfig.PackageVariant) bool {
	held := func(pv *porchconfig.PackageVariant) bool { return slices.Contains(pv.Finalizers, finalizer) }
	return was.ResourceVersion == now.ResourceVersion || was.UID != now.UID || was.Generation != now.Generation ||
		held(was) && !held(now) || !was.DeletionTimestamp.Equal(now.DeletionTimestamp) ||
		!maps.Equal(was.Annotations, now.Annotations) || !maps.Equal(was.Labels, now.Labels)
}

// repositoryChanged has those variants worked whom a change in a repository concerns.
func (v *variants) repositoryChanged(ctx context.Context, at key, what change, except map[key]bool) {
	for _, pv := range v.all(ctx, at.Namespace) {
		if k := client.ObjectKeyFromObject(pv); !except[k] && concerns(pv, at.Name, what) {
			v.queue.keys.Add(k)
		}
	}
}

// all are the variants of a namespace, which are not to be changed.
func (v *variants) all(ctx context.Context, namespace string) (out []*porchconfig.PackageVariant) {
	out, err := v.list(ctx, namespace)
	if err != nil {
		v.options.Log.Error(err, "variants cannot be listed", "namespace", namespace)
	}
	return out
}

func (v *variants) list(ctx context.Context, namespace string) (out []*porchconfig.PackageVariant, err error) {
	var list porchconfig.PackageVariantList
	err = v.cache.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		out = append(out, &list.Items[i])
	}
	return out, err
}

// wake has variants worked.
func (v *variants) wake(keys []key) {
	for _, k := range keys {
		v.queue.keys.Add(k)
	}
}
