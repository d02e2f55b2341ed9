package reconciler

import (
	"fmt"
	"path"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// source reads an upstream revision.
func (t *task) source(up *variant.Revision) (draft.Source, error) {
	tree, err := t.state.revisions[up.Name].Content()
	if err != nil {
		return draft.Source{}, fmt.Errorf("upstream %s: %w", up.Name, err)
	}
	return draft.Source{Name: up.Name, Tree: tree, Lock: up.Self, From: up.Self}, nil
}

// base reads what target was made of: the commit that its lock records, whatever became of the tag
// since, and whichever package or Repository the variant names now.
func (t *task) base(target variant.Revision) (draft.Source, error) {
	old, lock := t.plan.OldUpstream, target.Lock
	unknown := old.Self.Commit == "" && old.Self.Ref == lock.Ref // a server that does not tell commits, and what is published stays
	if lock.Commit == "" || old.Name != "" && unknown {          // an old lock; its revision is the best there is
		return t.source(old)
	}
	var failed error
	for _, repo := range t.state.bases {
		for _, dir := range []string{lock.Directory, old.Self.Directory, inDirectory(repo, lock.Directory)} {
			tree, err := packageAt(repo, *lock, dir)
			if err == nil {
				from := kptfilev1.GitLock{Repo: lock.Repo, Directory: dir, Commit: lock.Commit}
				return draft.Source{Name: old.Title(), Tree: tree, Lock: old.Self, From: from}, nil
			}
			if failed == nil {
				failed = err
			}
		}
	}
	return draft.Source{}, fmt.Errorf("%s was made of commit %s of %s, which cannot be read from the upstream repository any more, "+
		"nor from another Repository of this namespace with that URL, so edits since then cannot be found; make a Repository for %s "+
		"that has the commit: %w", target.Name, lock.Commit, lock.Repo, lock.Repo, failed)
}

// inDirectory is a folder that a lock of Porch names, which leaves the Repository's directory out.
func inDirectory(repo *snapshot.Repository, dir string) string {
	if dir == "" {
		return ""
	}
	return path.Join(repo.Directory, dir)
}

// packageAt reads the package that a lock names, in another folder.
func packageAt(repo *snapshot.Repository, lock kptfilev1.GitLock, dir string) (pkgtree.Tree, error) {
	lock.Directory = dir
	tree, err := repo.Store.At(revision.Lock(lock))
	if err == nil && tree.Blob(kptfile.Name) == nil {
		err = fmt.Errorf("there is no package at %q", dir)
	}
	return tree, err
}
