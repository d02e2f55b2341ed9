package reconciler

import (
	"context"
	"fmt"
	"path"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// observeBases lists the upstream revisions that downstreams were made of: the variant may have named another
// package then, or another Repository.
func (p *pass) observeBases(ctx context.Context, w *world, pv *porchconfig.PackageVariant) error {
	w.bases = []*Repository{w.upstream}
	for i := range w.Downstream {
		lock := w.Downstream[i].Lock
		if lock == nil {
			continue
		}
		for _, repo := range p.holders(ctx, w, pv.Namespace, lock) {
			l, err := p.look(repo)
			if err != nil {
				return err
			}
			w.Upstream = w.take(w.Upstream, repo, l, l.byRef[lock.Ref])
			if !slices.Contains(w.bases, repo) {
				w.bases = append(w.bases, repo)
			}
		}
	}
	return nil
}

// holders are the repositories that may hold what a lock names: the upstream one and, where its URL is another, those
// Repositories of the namespace with the lock's URL that can be read.
func (p *pass) holders(ctx context.Context, w *world, namespace string, lock *kptfilev1.GitLock) []*Repository {
	out := []*Repository{w.upstream}
	if gitrepo.SameRepository(w.upstream.URL, lock.Repo) {
		return out
	}
	for _, name := range w.World.Repositories {
		if slices.Contains(w.Unread, name) {
			continue
		}
		if repo, err := p.open(ctx, namespace, name); err == nil && gitrepo.SameRepository(repo.URL, lock.Repo) {
			out = append(out, repo)
		}
	}
	return out
}

// base reads what target was made of: the commit that its lock records, whatever became of the tag
// since, and whichever package or Repository the variant names now.
func (a *actor) base(target variant.Revision) (source, error) {
	old, lock := a.plan.OldUpstream, target.Lock
	if lock.Commit == "" { // an old lock; its revision is the best there is
		return a.source(old)
	}
	var failed error
	for _, repo := range a.bases {
		for _, dir := range []string{lock.Directory, old.Self.Directory, inDirectory(repo, lock.Directory)} {
			tree, err := packageAt(repo, lock.Commit, dir)
			if err == nil {
				return source{name: old.Title(), tree: tree, lock: old.Self, from: origin{lock.Repo, dir, lock.Commit}}, nil
			}
			if failed == nil {
				failed = err
			}
		}
	}
	return source{}, fmt.Errorf("%s was made of commit %s of %s, which cannot be read from the upstream repository any more, "+
		"nor from another Repository of this namespace with that URL, so what was edited since cannot be told; make a Repository for %s "+
		"that has the commit: %w", target.Name, lock.Commit, lock.Repo, lock.Repo, failed)
}

// inDirectory is a folder that a lock of Porch names, which leaves the Repository's directory out.
func inDirectory(repo *Repository, dir string) string {
	if dir == "" {
		return ""
	}
	return path.Join(repo.Directory, dir)
}

// packageAt reads the package at a folder of a commit.
func packageAt(repo *Repository, commit, dir string) (pkgtree.Tree, error) {
	tree, err := repo.Store.At(commit, dir)
	if err == nil && tree.Blob(kptfile.Name) == nil {
		err = fmt.Errorf("there is no package at %q", dir)
	}
	return tree, err
}
