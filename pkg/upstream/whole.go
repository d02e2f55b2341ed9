package upstream

import (
	"context"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Whole are the versions of a package that a Diff compares, for programs that compare folders: with the content of subpackages
// that have an upstream and were not fetched, with merge marks, and without the Kptfile at the root.
type Whole struct {
	Ours   pkgtree.Tree
	Then   pkgtree.Tree // upstream when the package was fetched
	Now    pkgtree.Tree // upstream now; empty for Local
	Locked string       // the ref that was fetched
	Ref    string       // the ref of Now
}

// Versions returns the versions of ours that o compares; Local does not need upstream now, all other types do.
func Versions(ctx context.Context, src Source, ours pkgtree.Tree, o DiffOptions) (*Whole, error) {
	d := &differ{workspace: newWorkspace(src, ours, o.Observe), DiffOptions: o}
	k, err := d.kptfile(".")
	if err != nil {
		return nil, err
	}
	if !hasGit(k) {
		return nil, errNoUpstream
	}
	lock, err := checkedLock(".", k)
	if err != nil {
		return nil, err
	}
	w := &Whole{Ours: merge.AddMarks(ours), Locked: lock.Ref}
	at := kptfilev1.Git{Repo: lock.Repo, Directory: lock.Directory, Ref: lock.Commit}
	if w.Then, err = d.whole(ctx, lockedRoot{src, at, lock}, at, k.Spec.Name); err != nil {
		return nil, err
	}
	if o.Type != Local {
		now := *k.Spec.Upstream.Git
		if o.Ref != "" {
			now.Ref = o.Ref
		}
		w.Ref = now.Ref
		if w.Now, err = d.whole(ctx, src, now, k.Spec.Name); err != nil {
			return nil, err
		}
	}
	for _, tree := range []*pkgtree.Tree{&w.Ours, &w.Then, &w.Now} {
		if *tree, err = tree.Apply(map[string][]byte{kptfile.Name: nil}); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// whole is a package as Get makes it.
func (d *differ) whole(ctx context.Context, src Source, from kptfilev1.Git, name string) (pkgtree.Tree, error) {
	got, err := Get(ctx, src, from, GetOptions{Name: name, Observe: d.Observe})
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("ref %q: %w", from.Ref, err)
	}
	return got.Tree, nil
}

// lockedRoot is a Source that has the package at a lock.
type lockedRoot struct {
	Source
	at   kptfilev1.Git
	lock kptfilev1.GitLock
}

// Fetch implements Source.
func (s lockedRoot) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	if from == s.at {
		return s.FetchLocked(ctx, s.lock)
	}
	return s.Source.Fetch(ctx, from)
}
