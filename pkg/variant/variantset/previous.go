package variantset

import (
	"maps"
	"math"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Previous returns the variants that a set made before and that are not retired, in order of names, as the revisions that
// were made for them say. repositories are the names of all Repositories of the namespace.
func Previous(set *v1alpha2.PackageVariantSet, revisions []revision.Revision, repositories []string) (out []porchconfig.PackageVariant) {
	type place struct {
		ref    string
		commit gitrepo.Hash
	}
	at := func(rev revision.Revision) place { return place{rev.Ref, rev.Commit} }
	newest := map[string]revision.Revision{} // by the name of the variant
	shown := map[place]int{}                 // by how many Repositories
	for _, rev := range revisions {
		if !madeBy(set, rev) || isOfAnother(rev, repositories) {
			continue
		}
		shown[at(rev)]++
		if was, known := newest[rev.Owner.Name]; !known || number(rev) > number(was) {
			newest[rev.Owner.Name] = rev
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		pv := variantOf(set, newest[name])
		if shown[at(newest[name])] > 1 {
			pv.Spec.Downstream = nil // any of several Repositories may be the one
		}
		out = append(out, pv)
	}
	return out
}

// madeBy reports whether a revision is that of a variant of a set, and not retired yet.
func madeBy(set *v1alpha2.PackageVariantSet, rev revision.Revision) bool {
	return rev.Owner.Kind == porchconfig.KindPackageVariant && rev.Owner.Namespace == set.Namespace &&
		rev.Trailers.Get(revision.TrailerSet) == set.Namespace+"/"+set.Name &&
		rev.Revision != revision.Placeholder && rev.Lifecycle != porch.DeletionProposed
}

// isOfAnother reports whether a revision was made through another of these Repositories than the one that shows it.
func isOfAnother(rev revision.Revision, repositories []string) bool {
	through := rev.Trailers.Get(revision.TrailerRepository)
	return through != rev.Repository && slices.Contains(repositories, through)
}

// number orders the revisions of a variant: what is not published yet comes last.
func number(rev revision.Revision) int {
	if rev.Revision == 0 {
		return math.MaxInt
	}
	return rev.Revision
}

// variantOf is a variant as the revision that was made for it describes it.
func variantOf(set *v1alpha2.PackageVariantSet, rev revision.Revision) porchconfig.PackageVariant {
	pv := porchconfig.PackageVariant{
		ObjectMeta: metav1.ObjectMeta{
			Name: rev.Owner.Name, Namespace: rev.Owner.Namespace, Labels: map[string]string{Label: ownerLabel(set)},
		},
		Spec: porchconfig.PackageVariantSpec{
			Downstream:     &porchconfig.Downstream{Repo: rev.Repository, Package: rev.Package},
			DeletionPolicy: previousPolicy(set, rev),
		},
	}
	copyOverride(set, &pv)
	SetOwner(set, &pv)
	return pv
}

// previousPolicy is the deletion policy of a variant: the one that it had when its revision was made, or orphan
// while all targets of its set have that. What the present targets say otherwise does not apply to a variant that
// does not exist any more.
func previousPolicy(set *v1alpha2.PackageVariantSet, rev revision.Revision) porchconfig.DeletionPolicy {
	deletes := func(t v1alpha2.Target) bool {
		return t.Template == nil || t.Template.DeletionPolicy != porchconfig.DeletionOrphan
	}
	if len(set.Spec.Targets) > 0 && !slices.ContainsFunc(set.Spec.Targets, deletes) {
		return porchconfig.DeletionOrphan
	}
	return porchconfig.DeletionPolicy(rev.Trailers.Get(revision.TrailerDeletionPolicy))
}
