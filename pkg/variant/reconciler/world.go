package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// world is what a reconcile has seen: repositories, and revisions by name.
type world struct {
	variant.World
	upstream, downstream *Repository
	revisions            map[string]found
	bases                []*Repository // that may hold what downstreams were made of, upstream first
	gone                 string        // the downstream Repository of a variant that goes, when there is none
}

// found is a revision and where it was found.
type found struct {
	revision.Revision
	repo *Repository
}

// observe reads, and writes nothing. A variant that is not valid needs no world.
func (p *pass) observe(ctx context.Context, pv *porchconfig.PackageVariant) (*world, error) {
	w := &world{revisions: map[string]found{}}
	w.DeletesEdited = p.DeleteEditedDrafts
	if !pv.DeletionTimestamp.IsZero() {
		err := p.observeOwned(ctx, pv, w)
		if err == nil {
			err = p.observeOthers(ctx, pv, w)
		}
		return w, err
	}
	if variant.Validate(pv) != nil {
		return w, nil
	}
	var err error
	if w.upstream, err = p.open(ctx, pv.Namespace, pv.Spec.Upstream.Repo); err == nil {
		err = p.observeUpstream(w, pv)
	}
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if w.downstream, err = p.open(ctx, pv.Namespace, pv.Spec.Downstream.Repo); err == nil {
		err = p.observeDownstream(ctx, w, pv)
	}
	if err != nil {
		return nil, fmt.Errorf("downstream: %w", err)
	}
	return w, p.observeBases(ctx, w, pv)
}

// observeUpstream lists the revisions of the upstream package.
func (p *pass) observeUpstream(w *world, pv *porchconfig.PackageVariant) error {
	l, err := p.look(w.upstream)
	if err == nil {
		w.Upstream = w.take(nil, w.upstream, l, l.byPackage[pv.Spec.Upstream.Package])
	}
	return err
}

// observeDownstream lists the revisions of the downstream package, and whatever the variant has in
// this repository and, as it may have had another downstream before, in others. One of those that
// cannot be read keeps nobody waiting: what is left there goes as soon as it can.
func (p *pass) observeDownstream(ctx context.Context, w *world, pv *porchconfig.PackageVariant) error {
	l, err := p.look(w.downstream)
	if err != nil {
		return err
	}
	w.Downstream = w.take(nil, w.downstream, l, l.byPackage[pv.Spec.Downstream.Package])
	if w.World.Repositories, err = p.Repositories.Names(ctx, pv.Namespace); err != nil {
		return err
	}
	for _, name := range w.World.Repositories {
		if err := p.observeOwnedIn(ctx, w, pv, name); err != nil {
			w.Unread = append(w.Unread, name)
		}
	}
	if err := p.observeOthers(ctx, pv, w); err != nil {
		return err
	}
	return w.readLocks(pv)
}

// observeOwned lists what a variant that is going leaves behind, in every repository there is. One
// that cannot be read is an error here: nobody would come back for what is in it, and a draft in it that
// holds commits by others would keep all as it is. With deletionPolicy orphan all stays anyway, and nothing is read.
func (p *pass) observeOwned(ctx context.Context, pv *porchconfig.PackageVariant, w *world) error {
	names, err := p.Repositories.Names(ctx, pv.Namespace)
	if err != nil {
		return err
	}
	w.World.Repositories = names
	if down := pv.Spec.Downstream; down != nil && !slices.Contains(names, down.Repo) {
		w.gone = down.Repo
	}
	if pv.Spec.Orphans() {
		return nil
	}
	var unread []error
	for _, name := range names {
		if err := p.observeOwnedIn(ctx, w, pv, name); err != nil {
			unread = append(unread, err)
		}
	}
	if len(unread) > 0 {
		return fmt.Errorf("nothing is retired while a Repository cannot be read, which may show what this PackageVariant made; "+
			"make it readable, delete the Repository object, or set spec.deletionPolicy %q: %w", porchconfig.DeletionOrphan, errors.Join(unread...))
	}
	return nil
}

// observeOwnedIn lists what the variant owns in one repository; nothing where the object went meanwhile.
func (p *pass) observeOwnedIn(ctx context.Context, w *world, pv *porchconfig.PackageVariant, name string) error {
	repo, err := p.open(ctx, pv.Namespace, name)
	if gone := new(NoRepositoryError); errors.As(err, &gone) {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := p.look(repo)
	if err != nil {
		return err
	}
	known := len(w.Downstream)
	w.Downstream = w.take(w.Downstream, repo, l, l.byOwner[variant.Owner(pv)])
	for i := range w.Downstream[known:] {
		r := &w.Downstream[known+i]
		r.Continued = l.continued(r)
	}
	return nil
}

// continued is the owner of a later revision of the package of r, that is another one's: a variant took the package over.
func (l *look) continued(r *variant.Revision) string {
	for _, i := range l.byPackage[r.Package] {
		other := &l.revisions[i]
		if owner := other.Owner.String(); owner != "" && owner != r.Owner && (other.Revision == 0 || other.Revision > r.Number) {
			return owner
		}
	}
	return ""
}

// take adds revisions of a repository to a list, each once.
func (w *world) take(list []variant.Revision, repo *Repository, l *look, chosen []int) []variant.Revision {
	for _, i := range chosen {
		rev := l.revisions[i]
		if slices.ContainsFunc(list, func(r variant.Revision) bool { return r.Name == rev.Name && r.Self.Ref == shortRef(rev.Ref) }) {
			continue
		}
		f := found{rev, repo}
		w.revisions[rev.Name] = f
		list = append(list, f.plain())
	}
	return list
}

// readLocks reads where the revisions that may be worked on were cloned from: open drafts and, of
// what the variant published or would adopt, the newest.
func (w *world) readLocks(pv *porchconfig.PackageVariant) (err error) {
	var newest *variant.Revision
	for i := range w.Downstream {
		rev := &w.Downstream[i]
		switch {
		case rev.Repo != pv.Spec.Downstream.Repo || rev.Package != pv.Spec.Downstream.Package:
		case rev.Owner != variant.Owner(pv) && !w.MayTake(pv, rev):
		case rev.Number > 0 && (newest == nil || rev.Number > newest.Number):
			newest = rev
		case rev.Number == 0:
			if err = w.readLock(rev); err != nil {
				return err
			}
		}
	}
	if newest != nil {
		err = w.readLock(newest)
	}
	return err
}

func (w *world) readLock(rev *variant.Revision) (err error) {
	rev.Lock, err = upstreamLock(w.revisions[rev.Name])
	return err
}

// lock is where rev is, at the address that the Repository object gives.
func (r *Repository) lock(rev revision.Revision) kptfilev1.GitLock {
	l := r.Store.Lock(rev)
	return kptfilev1.GitLock{Repo: r.URL, Directory: l.Directory, Ref: l.Ref, Commit: l.Commit}
}

// content reads a revision's files.
func (f found) content() (tree pkgtree.Tree, err error) { return f.repo.Store.Content(f.Revision) }

// upstreamLock reads the lock in the Kptfile of rev, nil when it has none.
func upstreamLock(rev found) (*kptfilev1.GitLock, error) {
	k, err := rev.kptfile()
	if err != nil || k.Spec.UpstreamLock == nil {
		return nil, err
	}
	return k.Spec.UpstreamLock.Git, nil
}
