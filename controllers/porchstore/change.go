package porchstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// ProposeDeletion proposes to delete a published revision. It is no object's dependent any more, or the garbage collector might carry
// the deletion out.
func (s *Store) ProposeDeletion(ctx context.Context, rev revision.Revision) (revision.Revision, error) {
	return s.change(ctx, revision.OpProposeDeletion, rev, func(o *porch.PackageRevision) map[string]any {
		return map[string]any{"metadata": withoutReference(o), "spec": map[string]any{"lifecycle": porch.DeletionProposed}}
	})
}

// UndoDeletion withdraws the proposal to delete a revision.
func (s *Store) UndoDeletion(ctx context.Context, rev revision.Revision) (revision.Revision, error) {
	ref, err := s.reference(ctx, rev.Owner)
	if err != nil {
		return revision.Revision{}, err
	}
	return s.change(ctx, revision.OpUndoDeletion, rev, func(o *porch.PackageRevision) map[string]any {
		patch := map[string]any{"spec": map[string]any{"lifecycle": porch.Published}}
		if ref != nil && ownerReference(o) == nil {
			patch["metadata"] = map[string]any{"ownerReferences": append(slices.Clone(o.OwnerReferences), *ref)}
		}
		return patch
	})
}

// Disown removes the owner reference of a revision that outlives its owner: the garbage collector would delete it.
func (s *Store) Disown(ctx context.Context, rev revision.Revision) (revision.Revision, error) {
	if o, err := s.current(rev); err != nil || ownerReference(o) == nil {
		return rev, err
	}
	return s.change(ctx, "disown", rev, func(o *porch.PackageRevision) map[string]any {
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

// change patches the object of a revision, which is as rev says or the patch fails.
func (s *Store) change(ctx context.Context, op revision.Op, rev revision.Revision, patch func(*porch.PackageRevision) map[string]any,
) (revision.Revision, error) {
	o, err := s.current(rev)
	if err == nil {
		err = revision.AdmitDeletion(op, rev)
	}
	if err != nil {
		return revision.Revision{}, err
	}
	if err := s.patch(ctx, o, patch(o)); err != nil {
		return revision.Revision{}, s.failed(ctx, string(op), rev, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(o).rev, nil
}

// Delete deletes a revision, if it still is as rev says.
func (s *Store) Delete(ctx context.Context, rev revision.Revision, _ revision.Stamp) error {
	o, err := s.current(rev)
	if err == nil {
		err = revision.AdmitDeletion(revision.OpDelete, rev)
	}
	if err != nil {
		return err
	}
	if !s.isDry() {
		if err = s.unchanged(ctx, rev); err == nil { // Porch takes no precondition
			err = s.client.Delete(ctx, o)
		}
		if err != nil {
			return s.failed(ctx, string(revision.OpDelete), rev, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, rev.Name)
	return nil
}

// annotate sets annotations that differ.
func (s *Store) annotate(ctx context.Context, o *porch.PackageRevision, notes map[string]string) error {
	differs := false
	for key, value := range notes {
		differs = differs || o.Annotations[key] != value
	}
	if !differs {
		return nil
	}
	return s.patch(ctx, o, map[string]any{"metadata": map[string]any{"annotations": notes}})
}

// patch patches o on the server, and in memory alone in a dry run.
func (s *Store) patch(ctx context.Context, o *porch.PackageRevision, patch map[string]any) error {
	metadata, _ := patch["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		patch["metadata"] = metadata
	}
	metadata["resourceVersion"] = o.ResourceVersion
	data, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	if s.isDry() {
		return json.Unmarshal(data, o)
	}
	return s.client.Patch(ctx, o, client.RawPatch(types.MergePatchType, data))
}

// current is the object of a revision that is in memory as rev says.
func (s *Store) current(rev revision.Revision) (*porch.PackageRevision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.items[rev.Name]
	if i == nil || i.rev.Target != rev.Target || i.rev.Lifecycle != rev.Lifecycle {
		return nil, s.stale(rev)
	}
	return i.obj.DeepCopy(), nil
}

// unchanged asks whether a revision still is as rev says.
func (s *Store) unchanged(ctx context.Context, rev revision.Revision) error {
	var o porch.PackageRevision
	err := s.client.Get(ctx, client.ObjectKey{Namespace: s.of.Namespace, Name: rev.Name}, &o)
	if apierrors.IsNotFound(err) || err == nil && (target(o.ResourceVersion) != rev.Target || o.Spec.Lifecycle != rev.Lifecycle) {
		return s.stale(rev)
	}
	return err
}

// stale says that another client changed a revision.
func (s *Store) stale(rev revision.Revision) error {
	return &gitrepo.StaleError{URL: s.url, Ref: rev.Ref, Want: rev.Target}
}

// failed is the error of a write: that of Porch, unless the revision has changed, which Porch says in many ways.
func (s *Store) failed(ctx context.Context, op string, rev revision.Revision, err error) error {
	s.mark(false, rev.Name)
	if apierrors.IsConflict(err) {
		return s.stale(rev)
	}
	if apierrors.IsInternalError(err) || apierrors.IsNotFound(err) || apierrors.IsInvalid(err) {
		if changed := s.unchanged(ctx, rev); changed != nil {
			return changed
		}
	}
	return s.problem(op, rev, err)
}

// notCreated is the error of a draft that Porch did not make: that of Porch, unless another client made it.
func (s *Store) notCreated(ctx context.Context, rev revision.Revision, err error) error {
	var o porch.PackageRevision
	s.mark(false, rev.Name)
	exists := s.client.Get(ctx, client.ObjectKey{Namespace: s.of.Namespace, Name: rev.Name}, &o) == nil
	if exists || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return &revision.RefusedError{Op: "create draft", Package: rev.Package, Workspace: rev.Workspace, Exists: true,
			Reason: "the workspace exists already"}
	}
	return s.problem("create draft", rev, err)
}

// problem says what Porch did not do.
func (s *Store) problem(op string, rev revision.Revision, err error) error {
	if apierrors.IsForbidden(err) {
		err = fmt.Errorf("%w; grant it on porch.kpt.dev", err)
	}
	return fmt.Errorf("%s of package %q, workspace %q, in Porch: %w", op, rev.Package, rev.Workspace, err)
}
