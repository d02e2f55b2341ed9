package porchstore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// CreateDraft makes a PackageRevision, and replaces what Porch put into it by the content.
func (s *Store) CreateDraft(ctx context.Context, req revision.DraftRequest) (revision.Revision, error) {
	revs, err := s.List()
	if err == nil {
		err = cmp.Or(revision.Admit(s.of.Name, revs, req), s.checkForgotten(req))
	}
	if err != nil {
		return revision.Revision{}, err
	}
	name := revision.ObjectName(s.of.Name, req.Package, req.Workspace)
	o, err := s.draft(ctx, req)
	if err != nil {
		return revision.Revision{}, err
	}
	if s.isDry() {
		o.Name = name
		return s.write(o, req.Content, digestOf(req.Content)), nil
	}
	defer s.begin(name)()
	asked := revision.Revision{Name: name, Package: req.Package, Workspace: req.Workspace}
	if err := s.create(ctx, name, o); err != nil {
		return revision.Revision{}, s.notCreated(ctx, asked, err)
	}
	rev, err := s.save(ctx, o, req.Content)
	if err != nil {
		return rev, s.notSaved(ctx, o, err)
	}
	return rev, nil
}

// draft is the object of a new draft.
func (s *Store) draft(ctx context.Context, req revision.DraftRequest) (*porch.PackageRevision, error) {
	o := &porch.PackageRevision{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.of.Namespace, Labels: req.Labels, Annotations: map[string]string{}},
		Spec: porch.PackageRevisionSpec{PackageName: req.Package, Repository: s.of.Name, WorkspaceName: req.Workspace,
			Lifecycle: porch.Draft, Tasks: []porch.Task{req.Task}},
	}
	maps.Copy(o.Annotations, req.Annotations)
	maps.Copy(o.Annotations, annotations(req.Owner, req.Trailers, req.Content))
	ref, err := s.reference(ctx, req.Owner)
	if ref != nil {
		o.OwnerReferences = append(o.OwnerReferences, *ref)
	}
	return o, err
}

// notSaved deletes a draft that holds what Porch put into it, and not what was asked for, unless another client changed it.
func (s *Store) notSaved(ctx context.Context, o *porch.PackageRevision, err error) error {
	rev := s.revisionOf(o)
	if err = s.failed(ctx, "create draft", rev, err); s.unchanged(ctx, rev) != nil {
		return err
	}
	left := client.IgnoreNotFound(s.client.Delete(ctx, o))
	if left == nil {
		s.deleted(o)
	}
	return errors.Join(err, left)
}

// annotations are what Waybill notes on a revision that holds content.
func annotations(owner revision.Owner, trailers revision.Trailers, content pkgtree.Tree) map[string]string {
	return map[string]string{TrailersAnnotation: revision.FormatTrailers(owner, trailers), ContentAnnotation: digestOf(content)}
}

// create has Porch make a draft by its task. Porch may be unable to upgrade, as when the old upstream was deleted: then it copies the
// local revision, as the content is replaced anyway.
func (s *Store) create(ctx context.Context, name string, o *porch.PackageRevision) error {
	err := s.createOnce(ctx, name, o)
	up := o.Spec.Tasks[0].Upgrade
	if err == nil || up == nil || !apierrors.IsInternalError(err) {
		return err
	}
	o.Spec.Tasks = []porch.Task{{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &up.LocalPackageRevision}}}
	if again := s.createOnce(ctx, name, o); again != nil {
		return err
	}
	return nil
}

// createOnce makes a draft, and tries again after errors that pass. Porch may have made it nevertheless.
func (s *Store) createOnce(ctx context.Context, name string, o *porch.PackageRevision) error {
	return s.again(ctx, func() error {
		err := s.client.Create(ctx, o)
		if !passes(err) {
			return err
		}
		made := &porch.PackageRevision{}
		if s.client.Get(ctx, client.ObjectKey{Namespace: o.Namespace, Name: name}, made) != nil || made.Spec.Lifecycle != porch.Draft {
			return err
		}
		if isBare(made) { // it failed before it stored that
			metadata := map[string]any{"annotations": o.Annotations, "ownerReferences": o.OwnerReferences}
			if len(o.Labels) > 0 {
				metadata["labels"] = o.Labels
			}
			if err := s.patch(ctx, made, map[string]any{"metadata": metadata}); err != nil {
				return err
			}
		}
		is, want := made.Annotations, o.Annotations
		if is[TrailersAnnotation] != want[TrailersAnnotation] || is[ContentAnnotation] != want[ContentAnnotation] {
			return err // another client made it
		}
		*o = *made
		return nil
	})
}

// UpdateDraft replaces the files of a draft.
func (s *Store) UpdateDraft(ctx context.Context, rev revision.Revision, up revision.Update) (revision.Revision, error) {
	err := revision.AdmitUpdate(rev, up)
	if err == nil && up.Adopts {
		rev, err = s.adopt(ctx, rev, revision.Adoption{Owner: up.Owner, Trailers: up.Trailers, Labels: up.Labels, Annotations: up.Annotations})
	}
	if err != nil {
		return revision.Revision{}, err
	}
	o, err := s.current(rev)
	if err != nil {
		return revision.Revision{}, err
	}
	if was, err := s.Content(rev); err != nil || was.Equal(up.Content) {
		return rev, err
	}
	if now, _ := s.known(rev.Name); now.Target == rev.Target { // rev may be older than the files
		rev.Foreign = now.Foreign
	}
	trailers := slices.Clone(up.Trailers)
	if rev.Adopted && up.Owner == rev.Owner {
		trailers = append(trailers, revision.Trailer{Key: revision.TrailerAdopted, Value: rev.Trailers.Get(revision.TrailerAdopted)})
	}
	notes := annotations(up.Owner, trailers, up.Content)
	if rev.Foreign || up.Owner != rev.Owner { // that stays known
		notes[ContentAnnotation] = o.Annotations[ContentAnnotation]
	}
	if s.isDry() {
		return s.write(o, up.Content, digestOf(up.Content)), nil
	}
	defer s.begin(rev.Name)()
	if err = s.annotate(ctx, o, notes); err == nil {
		rev, err = s.save(ctx, o, up.Content)
	}
	if err != nil {
		return revision.Revision{}, s.failed(ctx, "update draft", s.revisionOf(o), err) // as it is after the first of the two writes
	}
	return rev, nil
}

// save replaces the files of a draft that is as o says, and returns it as it is then.
func (s *Store) save(ctx context.Context, o *porch.PackageRevision, content pkgtree.Tree) (revision.Revision, error) {
	res := &porch.PackageRevisionResources{
		ObjectMeta: metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name, ResourceVersion: o.ResourceVersion},
		Spec: porch.PackageRevisionResourcesSpec{PackageName: o.Spec.PackageName, Repository: s.of.Name,
			WorkspaceName: o.Spec.WorkspaceName, Resources: textsOf(content)},
	}
	if err := s.again(ctx, func() error { return s.client.Update(ctx, res) }); err != nil {
		return revision.Revision{}, err
	}
	stored, err := treeOf(res)
	if err != nil {
		return revision.Revision{}, err
	}
	before := o.DeepCopy()
	o.ResourceVersion = res.ResourceVersion
	s.wrote(before, o)
	digest := digestOf(stored)
	if noted := o.Annotations[ContentAnnotation]; digest != noted && noted == digestOf(content) {
		// Porch's render added something to what Waybill rendered. That is no edit by others.
		err = s.annotate(ctx, o, map[string]string{ContentAnnotation: digest})
	}
	return s.write(o, stored, digest), err
}

// write notes in memory what was written, and its digest.
func (s *Store) write(o *porch.PackageRevision, content pkgtree.Tree, digest string) revision.Revision {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.put(o)
	i.content, i.digest = &content, digest
	if i.findEdits(); s.dry {
		i.rev.Foreign = false
	}
	return i.rev
}
