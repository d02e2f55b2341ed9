package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// remembered adds to variants those that a set made before, as far as Git tells: an API server would
// have kept the objects. Those with nothing left to retire are forgotten.
func (o *objects) remembered(
	ctx context.Context, set *v1alpha2.PackageVariantSet, variants []porchconfig.PackageVariant,
) ([]porchconfig.PackageVariant, error) {
	recalled, err := o.recalled(ctx, set)
	for _, pv := range recalled {
		if !pv.Spec.Orphans() {
			variants = append(variants, pv)
		}
	}
	return variants, err
}

// recalled are the variants that a set made before and that are not among the objects, in order of names. Where a
// Repository cannot be read they are those that the others tell of, and the error is a *KeepError.
func (o *objects) recalled(ctx context.Context, set *v1alpha2.PackageVariantSet) (variants []porchconfig.PackageVariant, err error) {
	names, err := o.repos.Names(ctx, set.Namespace)
	if err != nil {
		return nil, err
	}
	newest := map[string]revision.Revision{} // by the variant they were made for
	shown := map[shownAt]int{}
	var unread []error
	for _, name := range names {
		revs, err := o.repos.revisions(ctx, set.Namespace, name)
		if err != nil {
			unread = append(unread, err)
		}
		for _, rev := range revs {
			if !madeBy(set, rev) || isOfAnother(rev, names) {
				continue
			}
			shown[at(rev)]++
			if was, known := newest[rev.Owner.Name]; !known || newer(rev, was) {
				newest[rev.Owner.Name] = rev
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		pv := recall(set, newest[name])
		if shown[at(newest[name])] > 1 {
			pv.Spec.Downstream = nil // any of several Repositories may be the one
		}
		if !slices.ContainsFunc(o.in.Variants, same(&pv)) {
			variants = append(variants, pv)
		}
	}
	if len(unread) > 0 {
		return variants, &variantset.KeepError{Err: fmt.Errorf("a Repository cannot be read, which may show what the set made before; "+
			"make it readable, or delete the Repository object: %w", errors.Join(unread...))}
	}
	return variants, nil
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

// shownAt is what tells that several Repositories show one revision.
type shownAt struct {
	ref    string
	commit gitrepo.Hash
}

func at(rev revision.Revision) shownAt { return shownAt{rev.Ref, rev.Commit} }

// newer orders the revisions of a variant: what is not published yet comes last.
func newer(a, b revision.Revision) bool {
	return cmp.Or(b2i(a.Revision == 0)-b2i(b.Revision == 0), a.Revision-b.Revision) > 0
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// recall is a variant as the revision that was made for it tells.
func recall(set *v1alpha2.PackageVariantSet, rev revision.Revision) porchconfig.PackageVariant {
	pv := porchconfig.PackageVariant{
		ObjectMeta: metav1.ObjectMeta{
			Name: rev.Owner.Name, Namespace: rev.Owner.Namespace,
			Labels: map[string]string{variantset.Label: cmp.Or(string(set.UID), set.Name)},
		},
		Spec: porchconfig.PackageVariantSpec{
			Downstream:     &porchconfig.Downstream{Repo: rev.Repository, Package: rev.Package},
			DeletionPolicy: policy(set, rev),
		},
	}
	if reason, may := set.Annotations[waybill.ExceedBudgetAnnotation]; may {
		pv.Annotations = map[string]string{waybill.ExceedBudgetAnnotation: reason}
	}
	own(set, &pv)
	return pv
}

// policy is the deletion policy of a variant: the one that it had when its revision was made, or orphan
// while all targets of its set give that. What the targets that there are say otherwise is nothing to
// one that is not there any more.
func policy(set *v1alpha2.PackageVariantSet, rev revision.Revision) porchconfig.DeletionPolicy {
	orphans := func(t v1alpha2.Target) bool {
		return t.Template != nil && t.Template.DeletionPolicy == porchconfig.DeletionOrphan
	}
	if n := len(set.Spec.Targets); n > 0 && !slices.ContainsFunc(set.Spec.Targets, func(t v1alpha2.Target) bool { return !orphans(t) }) {
		return porchconfig.DeletionOrphan
	}
	return porchconfig.DeletionPolicy(rev.Trailers.Get(revision.TrailerDeletionPolicy))
}

// own makes a variant the set's, by name: objects from files have no uid.
func own(set *v1alpha2.PackageVariantSet, pv *porchconfig.PackageVariant) {
	controller := true
	pv.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: v1alpha2.APIVersion, Kind: v1alpha2.KindPackageVariantSet, Name: set.Name, UID: set.UID, Controller: &controller,
	}}
}
