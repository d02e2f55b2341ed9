package registry

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/revision"
)

// noDrafts says why nothing is written.
const noDrafts = "which holds published packages and no drafts: make drafts in a Repository of type git, and publish packages by " +
	"'waybill pkg push'"

// refuse is the error of everything that would write. Porch writes drafts as images, and cannot read back whether they were approved.
func (s *Store) refuse(op string, pkg, workspace string) error {
	return &revision.RefusedError{Op: op, Package: pkg, Workspace: workspace, Reason: fmt.Sprintf("Repository %q is an OCI registry, %s",
		s.name, noDrafts)}
}

// CreateDraft implements snapshot.Store; it refuses.
func (s *Store) CreateDraft(_ context.Context, req revision.DraftRequest) (revision.Revision, error) {
	return revision.Revision{}, s.refuse("create draft", req.Package, req.Workspace)
}

// UpdateDraft implements snapshot.Store; it refuses.
func (s *Store) UpdateDraft(_ context.Context, rev revision.Revision, _ revision.Update) (revision.Revision, error) {
	return rev, s.refuse("update draft", rev.Package, rev.Workspace)
}

// ChangeAll implements revision.Repository; it refuses.
func (s *Store) ChangeAll(_ context.Context, changes []revision.Change, _ revision.Stamp) ([]revision.Revision, error) {
	for _, c := range changes {
		return nil, s.refuse(string(c.Op), c.Revision.Package, c.Revision.Workspace)
	}
	return nil, nil
}

// ProposeDeletion implements snapshot.Store; it refuses.
func (s *Store) ProposeDeletion(_ context.Context, rev revision.Revision) (revision.Revision, error) {
	return rev, s.refuse("propose deletion", rev.Package, rev.Workspace)
}

// UndoDeletion implements snapshot.Store; it refuses.
func (s *Store) UndoDeletion(_ context.Context, rev revision.Revision) (revision.Revision, error) {
	return rev, s.refuse("undo deletion", rev.Package, rev.Workspace)
}

// Adopt implements snapshot.Store; it refuses.
func (s *Store) Adopt(_ context.Context, revs []revision.Revision, _ revision.Adoption) error {
	for _, rev := range revs {
		return s.refuse("adopt", rev.Package, rev.Workspace)
	}
	return nil
}

// Delete implements snapshot.Store; it refuses.
func (s *Store) Delete(_ context.Context, rev revision.Revision, _ revision.Stamp) error {
	return s.refuse("delete", rev.Package, rev.Workspace)
}

// Rehearse implements snapshot.Store: nothing is written anyway.
func (s *Store) Rehearse() {}

// MainRef implements revision.Repository: there is no main branch.
func (s *Store) MainRef() string { return "" }

// CheckBranch implements revision.Repository: no main branch is missing.
func (s *Store) CheckBranch() error { return nil }
