package porchstore

import (
	"context"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
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
	was, i := s.items[o.Name], s.put(o)
	if was != nil && was.rev.Target == rev.Target { // its files are as they were
		i.content, i.digest = was.content, was.digest
		i.findEdits()
	}
	return i.rev, nil
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
		defer s.begin(rev.Name)()
		if err = s.unchanged(ctx, rev); err == nil { // Porch takes no precondition
			err = s.client.Delete(ctx, o)
		}
		if err != nil {
			return s.failed(ctx, string(revision.OpDelete), rev, err)
		}
	}
	s.deleted(o)
	return nil
}

// annotate sets annotations that differ, and the owner reference with them, which Porch may have lost.
func (s *Store) annotate(ctx context.Context, o *porch.PackageRevision, notes map[string]string) error {
	differs := false
	for key, value := range notes {
		differs = differs || o.Annotations[key] != value
	}
	if !differs && !s.hasLost(o.Name) {
		return nil
	}
	metadata := map[string]any{"annotations": notes}
	if ownerReference(o) != nil {
		metadata["ownerReferences"] = o.OwnerReferences
	}
	return s.patch(ctx, o, map[string]any{"metadata": metadata})
}

// patch patches o on the server, and in memory alone in a dry run.
func (s *Store) patch(ctx context.Context, o *porch.PackageRevision, patch map[string]any) error {
	metadata, _ := patch["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		patch["metadata"] = metadata
	}
	metadata["resourceVersion"] = o.ResourceVersion
	if err := s.completed(ctx, o, metadata); err != nil {
		return err
	}
	data, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	if s.isDry() {
		return json.Unmarshal(data, o)
	}
	before := o.DeepCopy()
	if err := s.client.Patch(ctx, o, client.RawPatch(types.MergePatchType, data)); err != nil {
		return err
	}
	s.wrote(before, o)
	return nil
}
