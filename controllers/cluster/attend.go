package cluster

import (
	"context"
	"maps"
	"slices"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// attend has sets worked when something changes that they depend on, besides themselves.
func (s *sets) attend(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	s.mu.Lock()
	s.queue = queue
	s.mu.Unlock()
	s.sources.start(ctx)
	if _, err := listen(ctx, s.cache, &porchconfig.PackageVariant{}, s.variantHeard); err != nil {
		return err
	}
	_, err := listen(ctx, s.cache, &porchconfig.Repository{}, s.repositoryHeard)
	return err
}

// variantHeard has the sets of a namespace worked when a variant there came, went or became another:
// it may be one of theirs, or have been in their way.
func (s *sets) variantHeard(old, now client.Object) {
	if old == nil || differs(old, now) {
		s.wake(slices.Collect(maps.Keys(s.dependencies(now.GetNamespace()))))
	}
}

// repositoryHeard has the sets worked that look at a Repository.
func (s *sets) repositoryHeard(old, now client.Object) {
	if old != nil && maps.Equal(old.GetLabels(), now.GetLabels()) && maps.Equal(old.GetAnnotations(), now.GetAnnotations()) {
		return
	}
	var concerned []key
	for at, d := range s.dependencies(now.GetNamespace()) {
		if d.AllRepositories || slices.Contains(d.Repositories, now.GetName()) {
			concerned = append(concerned, at)
		}
	}
	s.wake(concerned)
}

// repositoryChanged has the sets worked whose upstream has changed.
func (s *sets) repositoryChanged(ctx context.Context, at key, what change) {
	var list v1alpha2.PackageVariantSetList
	if err := s.cache.List(ctx, &list, client.InNamespace(at.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		s.options.Log.Error(err, "sets cannot be listed", "namespace", at.Namespace)
	}
	var concerned []key
	for i := range list.Items {
		up := list.Items[i].Spec.Upstream
		if up != nil && up.Repo == at.Name && (what.all || what.packages[up.Package]) {
			concerned = append(concerned, client.ObjectKeyFromObject(&list.Items[i]))
		}
	}
	s.wake(concerned)
}

// differs reports whether an object is another one in what is wanted of it.
func differs(old, now client.Object) bool {
	return old.GetUID() != now.GetUID() || old.GetGeneration() != now.GetGeneration() ||
		!old.GetDeletionTimestamp().Equal(now.GetDeletionTimestamp()) ||
		!maps.Equal(old.GetLabels(), now.GetLabels()) || !maps.Equal(old.GetAnnotations(), now.GetAnnotations())
}

// note keeps what a set depends on.
func (s *sets) note(at key, d variantset.Dependencies) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.depends[at] = d
}

// forget lets go of what is known of a set that is no more.
func (s *sets) forget(at key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.depends, at)
}

// dependencies are what the sets of a namespace depend on.
func (s *sets) dependencies(namespace string) map[key]variantset.Dependencies {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[key]variantset.Dependencies{}
	for at, d := range s.depends {
		if at.Namespace == namespace {
			out[at] = d
		}
	}
	return out
}

func kinds(d variantset.Dependencies) (out []packagevariant.Kind) {
	for _, k := range d.Kinds {
		out = append(out, packagevariant.Kind{APIVersion: k.APIVersion, Kind: k.Kind})
	}
	return out
}
