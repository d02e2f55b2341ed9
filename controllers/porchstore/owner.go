package porchstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

var _ snapshot.OwnerKeeper = (*Store)(nil)

// The steps that change the owner of a revision and nothing else.
const (
	opAdopt  revision.Op = "adopt"
	opDisown revision.Op = "disown"
)

// ownerReference is the reference to a PackageVariant, nil when there is none.
func ownerReference(o *porch.PackageRevision) *metav1.OwnerReference {
	i := slices.IndexFunc(o.OwnerReferences, isVariant)
	if i < 0 {
		return nil
	}
	return &o.OwnerReferences[i]
}

func isVariant(ref metav1.OwnerReference) bool {
	return ref.Kind == porchconfig.KindPackageVariant && ref.APIVersion == porchconfig.GroupVersion.String()
}

// reference is an owner reference to a PackageVariant; nil if the cluster has none of that name, as when it comes from a file.
func (s *Store) reference(ctx context.Context, owner revision.Owner) (*metav1.OwnerReference, error) {
	if owner.Kind != porchconfig.KindPackageVariant || owner.Namespace != s.of.Namespace {
		return nil, nil
	}
	var pv porchconfig.PackageVariant
	err := s.objects.Get(ctx, client.ObjectKey{Namespace: owner.Namespace, Name: owner.Name}, &pv)
	if apierrors.IsNotFound(err) || err == nil && !pv.DeletionTimestamp.IsZero() {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("owner %s: %w", owner, err)
	}
	return &metav1.OwnerReference{APIVersion: porchconfig.GroupVersion.String(), Kind: porchconfig.KindPackageVariant,
		Name: pv.Name, UID: pv.UID, Controller: new(true)}, nil
}

// Adopt makes published revisions and proposals those of an owner.
func (s *Store) Adopt(ctx context.Context, revs []revision.Revision, by revision.Adoption) error {
	for _, rev := range revs {
		if _, err := s.adopt(ctx, rev, by); err != nil {
			return err
		}
	}
	return nil
}

// adopt makes a revision that of an owner. That others made its content stays known as an adoption.
func (s *Store) adopt(ctx context.Context, rev revision.Revision, by revision.Adoption) (revision.Revision, error) {
	ref, err := s.reference(ctx, by.Owner)
	if err != nil {
		return revision.Revision{}, err
	}
	content, err := s.Content(rev)
	if err != nil {
		return revision.Revision{}, err
	}
	adopted := revision.Trailer{Key: revision.TrailerAdopted, Value: rev.Target.String()}
	return s.change(ctx, opAdopt, rev, func(o *porch.PackageRevision) map[string]any {
		notes := annotations(by.Owner, append(slices.Clone(by.Trailers), adopted), content)
		maps.Copy(notes, by.Annotations)
		metadata := map[string]any{"annotations": notes}
		if len(by.Labels) > 0 { // none are no reason to delete those that are there
			metadata["labels"] = by.Labels
		}
		if others := slices.DeleteFunc(slices.Clone(o.OwnerReferences), isVariant); ref != nil {
			metadata["ownerReferences"] = append(others, *ref)
		}
		return map[string]any{"metadata": metadata}
	})
}

// Disown removes the owner reference of a revision that outlives its owner: the garbage collector would delete it.
func (s *Store) Disown(ctx context.Context, rev revision.Revision) (revision.Revision, error) {
	if o, err := s.current(rev); err != nil || ownerReference(o) == nil {
		return rev, err
	}
	return s.change(ctx, opDisown, rev, func(o *porch.PackageRevision) map[string]any {
		return map[string]any{"metadata": withoutReference(o)}
	})
}

// withoutReference is the change of metadata that removes the owner reference. The owner stays known.
func withoutReference(o *porch.PackageRevision) map[string]any {
	change := map[string]any{"ownerReferences": slices.DeleteFunc(slices.Clone(o.OwnerReferences), isVariant)}
	if ref := ownerReference(o); ref != nil && o.Annotations[TrailersAnnotation] == "" {
		owner := revision.Owner{Kind: ref.Kind, Namespace: o.Namespace, Name: ref.Name}
		change["annotations"] = map[string]string{TrailersAnnotation: revision.FormatTrailers(owner, nil)}
	}
	return change
}
