package packagevariantset

import (
	"context"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// variantRequests enqueues the sets of a PackageVariant's namespace: it may be one of theirs, or have been in their way.
func (c *Controller) variantRequests(_ context.Context, pv client.Object) []reconcile.Request {
	return c.dependents(pv.GetNamespace(), func(variantset.Dependencies) bool { return true })
}

// repositoryRequests enqueues the sets that select a Repository.
func (c *Controller) repositoryRequests(_ context.Context, repo client.Object) []reconcile.Request {
	return c.dependents(repo.GetNamespace(), func(d variantset.Dependencies) bool {
		return d.AllRepositories || slices.Contains(d.Repositories, repo.GetName())
	})
}

// upstreamRequests enqueues the sets whose upstream has changed.
func (c *Controller) upstreamRequests(ctx context.Context, repo key, what snapshot.Change, _ map[key]bool,
) (requests []reconcile.Request) {
	var list v1alpha2.PackageVariantSetList
	if err := c.client.List(ctx, &list, client.InNamespace(repo.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		c.options.Log.Error(err, "sets cannot be listed", "namespace", repo.Namespace)
	}
	for i := range list.Items {
		if up := list.Items[i].Spec.Upstream; up != nil && up.Repo == repo.Name && what.Affects(up.Package) {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// dependents are the sets of a namespace whose dependencies match.
func (c *Controller) dependents(namespace string, match func(variantset.Dependencies) bool) (requests []reconcile.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, d := range c.dependencies {
		if at.Namespace == namespace && match(d) {
			requests = append(requests, reconcile.Request{NamespacedName: at})
		}
	}
	return requests
}

func (c *Controller) setDependencies(at key, d variantset.Dependencies) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dependencies[at] = d
}

// forget drops what is kept of a set that was deleted, or that another shard works on.
func (c *Controller) forget(at key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.dependencies, at)
	c.objects.Forget(at)
}
