package snapshot

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Store holds the package revisions of one repository: in Git, as a *revision.Store does, or behind an API. It serves many
// goroutines at once. List and Content show the revisions as they were at the last Refresh, with the changes that were made through
// this Store since.
//
// A revision that another client changed since is a *gitrepo.StaleError; a *revision.RefusedError says which rule forbids a change.
// Either way nothing was changed. Package storetest checks all of this.
type Store interface {
	// List returns every revision, by package, number and workspace.
	List() ([]revision.Revision, error)
	// Content reads the files of a revision.
	Content(rev revision.Revision) (pkgtree.Tree, error)
	// At reads the package that a lock names.
	At(lock revision.Lock) (pkgtree.Tree, error)
	// Lock is the place of a revision.
	Lock(rev revision.Revision) revision.Lock

	// Refresh reads again what other clients may have changed.
	Refresh(ctx context.Context) error
	// Rehearse starts a dry run: later changes are checked, and stay in this Store. It cannot be undone.
	Rehearse()

	// CreateDraft makes a draft.
	CreateDraft(ctx context.Context, req revision.DraftRequest) (revision.Revision, error)
	// UpdateDraft gives a draft new content, unless it has that content already.
	UpdateDraft(ctx context.Context, rev revision.Revision, up revision.Update) (revision.Revision, error)
	// ProposeDeletion proposes to delete a published revision, and UndoDeletion withdraws that.
	ProposeDeletion(ctx context.Context, rev revision.Revision) (revision.Revision, error)
	UndoDeletion(ctx context.Context, rev revision.Revision) (revision.Revision, error)
	// Adopt makes published revisions and proposals of one package those of an owner. Drafts are adopted by UpdateDraft.
	Adopt(ctx context.Context, revs []revision.Revision, by revision.Adoption) error
	// Delete deletes a draft, a proposal, or a revision whose deletion is proposed.
	Delete(ctx context.Context, rev revision.Revision, by revision.Stamp) error
}

// Batcher is a Store that can make many drafts in one write, which makes all of them or none. CreateDraftsOnce does not try again
// after a transient error. The drafts of other Stores are made one by one.
type Batcher interface {
	CreateDrafts(ctx context.Context, reqs []revision.DraftRequest) ([]revision.Revision, error)
	CreateDraftsOnce(ctx context.Context, reqs []revision.DraftRequest) ([]revision.Revision, error)
}

// OwnerKeeper is a Store that keeps owners beside the content of revisions, as references that the garbage collector of a cluster
// obeys. In Git, only commits name an owner.
type OwnerKeeper interface {
	// Disown removes the reference from a revision that outlives its owner. Which one that was stays known.
	Disown(ctx context.Context, rev revision.Revision) (revision.Revision, error)
}

// Reserver is a Store behind an API that may stop to list a revision which is still there.
type Reserver interface {
	// Reserved returns the workspaces of a package in which others may have work that is not listed: a new draft of the same name
	// would replace it.
	Reserved(pkg string) []string
}

var (
	_ Store   = (*revision.Store)(nil)
	_ Batcher = (*revision.Store)(nil)
)
