package reconciler

import (
	"context"
	"errors"
	"fmt"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// state is what a reconcile has observed: what the decision depends on, repositories, and revisions by name.
type state struct {
	variant.State
	upstream, downstream *snapshot.Repository
	revisions            map[string]snapshot.Revision
	bases                []*snapshot.Repository // that may hold what downstreams were made of, upstream first
	missing              string                 // the downstream Repository of a variant that is being deleted, when there is none
}

// observe reads, and writes nothing. Nothing is read for a variant that is not valid.
func (b *batch) observe(ctx context.Context, pv *porchconfig.PackageVariant) (*state, error) {
	s := &state{revisions: map[string]snapshot.Revision{}}
	s.DeletesEdited = b.DeleteEditedDrafts
	if !pv.DeletionTimestamp.IsZero() {
		err := b.observeOwned(ctx, s, pv)
		if err == nil {
			err = b.observeClaims(ctx, s, pv)
		}
		return s, err
	}
	if variant.Validate(pv) != nil {
		return s, nil
	}
	up, err := b.snapshot(ctx, pv.Namespace, pv.Spec.Upstream.Repo)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	s.upstream, s.Upstream = up.Repository, s.add(nil, up.OfPackage(pv.Spec.Upstream.Package))
	if err := b.observeDownstream(ctx, s, pv); err != nil {
		return nil, fmt.Errorf("downstream: %w", err)
	}
	return s, b.observeBases(ctx, s, pv)
}

// observeDownstream lists the revisions of the downstream package, and what the variant owns in
// this repository and, as it may have had another downstream before, in others. One of those that
// cannot be read does not stop the variant: what is left there is retired once it can be read.
func (b *batch) observeDownstream(ctx context.Context, s *state, pv *porchconfig.PackageVariant) error {
	down, err := b.snapshot(ctx, pv.Namespace, pv.Spec.Downstream.Repo)
	if err == nil && down.NoDrafts != "" {
		err = errors.New(down.NoDrafts)
	}
	if err != nil {
		return err
	}
	s.downstream, s.Downstream = down.Repository, s.add(nil, down.OfPackage(pv.Spec.Downstream.Package))
	if store, ok := down.Store.(snapshot.Reserver); ok {
		s.Reserved = store.Reserved(pv.Spec.Downstream.Package)
	}
	if s.Repositories, err = b.Repositories.Names(ctx, pv.Namespace); err != nil {
		return err
	}
	for _, name := range s.Repositories {
		if err := b.observeOwnedIn(ctx, s, pv, name); err != nil {
			s.Unread = append(s.Unread, name)
		}
	}
	if err := b.observeClaims(ctx, s, pv); err != nil {
		return err
	}
	return s.readLocks(pv)
}

// observeOwned lists what a variant that is being deleted leaves behind, in every repository there is. One
// that cannot be read is an error here: nothing would retire its revisions later, and a draft in it that
// holds commits by others would keep all as it is. With deletionPolicy orphan all stays anyway, and nothing is read unless there are
// owner references to remove.
func (b *batch) observeOwned(ctx context.Context, s *state, pv *porchconfig.PackageVariant) (err error) {
	if s.Repositories, err = b.Repositories.Names(ctx, pv.Namespace); err != nil {
		return err
	}
	if down := pv.Spec.Downstream; down != nil && !slices.Contains(s.Repositories, down.Repo) {
		s.missing = down.Repo
	}
	if pv.Spec.Orphans() && !b.OwnerReferences {
		return nil
	}
	var unread []error
	for _, name := range s.Repositories {
		if err := b.observeOwnedIn(ctx, s, pv, name); err != nil {
			unread = append(unread, err)
		}
	}
	if len(unread) > 0 {
		return fmt.Errorf("nothing is retired while a Repository cannot be read, which may show what this PackageVariant made; "+
			"make it readable, delete the Repository object, or set spec.deletionPolicy %q: %w", porchconfig.DeletionOrphan, errors.Join(unread...))
	}
	return nil
}

// observeOwnedIn lists what the variant owns in one repository; nothing where the object was deleted meanwhile.
func (b *batch) observeOwnedIn(ctx context.Context, s *state, pv *porchconfig.PackageVariant, name string) error {
	snap, err := b.snapshot(ctx, pv.Namespace, name)
	if registry := new(snapshot.UpstreamOnlyError); snapshot.IsNoRepository(err) || errors.As(err, &registry) {
		return nil
	}
	if err != nil {
		return err
	}
	known := len(s.Downstream)
	s.Downstream = s.add(s.Downstream, snap.OfOwner(variant.Owner(pv)))
	for i := known; i < len(s.Downstream); i++ {
		s.Downstream[i].Continued = snap.Successor(s.revisions[s.Downstream[i].Name])
	}
	return nil
}

// observeClaims reads what other variants want, where that matters.
func (b *batch) observeClaims(ctx context.Context, s *state, pv *porchconfig.PackageVariant) error {
	if !snapshot.ClaimsMatter(pv, s.Downstream) {
		return nil
	}
	claims, err := b.readClaims(ctx, pv.Namespace)
	if err == nil {
		claims.AddTo(&s.State, pv)
	}
	return err
}

// observeBases lists the upstream revisions that downstreams were made of: the variant may have named another
// package then, or another Repository.
func (b *batch) observeBases(ctx context.Context, s *state, pv *porchconfig.PackageVariant) error {
	s.bases = []*snapshot.Repository{s.upstream}
	for i := range s.Downstream {
		lock := s.Downstream[i].Lock
		if lock == nil {
			continue
		}
		for _, name := range b.holders(ctx, s, pv, lock) {
			snap, err := b.snapshot(ctx, pv.Namespace, name)
			if err != nil {
				return err
			}
			s.Upstream = s.add(s.Upstream, snap.AtRef(lock.Ref))
			if !slices.Contains(s.bases, snap.Repository) {
				s.bases = append(s.bases, snap.Repository)
			}
		}
	}
	return nil
}

// holders names the repositories that may hold what a lock names: the upstream one and, where its URL is another, those
// Repositories of the namespace with the lock's URL that can be read.
func (b *batch) holders(ctx context.Context, s *state, pv *porchconfig.PackageVariant, lock *kptfilev1.GitLock) []string {
	names := []string{pv.Spec.Upstream.Repo}
	if s.upstream.IsAt(lock.Repo) {
		return names
	}
	for _, name := range s.Repositories {
		if slices.Contains(s.Unread, name) {
			continue
		}
		if repo, err := b.open(ctx, pv.Namespace, name); err == nil && repo.IsAt(lock.Repo) {
			names = append(names, name)
		}
	}
	return names
}

// add adds revisions of a repository to a list, each once.
func (s *state) add(list []variant.Revision, revisions []snapshot.Revision) []variant.Revision {
	for _, rev := range revisions {
		r := rev.State()
		if slices.ContainsFunc(list, func(other variant.Revision) bool { return other.Name == r.Name && other.Self.Ref == r.Self.Ref }) {
			continue
		}
		s.revisions[rev.Name] = rev
		list = append(list, r)
	}
	return list
}

// readLocks reads where the revisions that may be changed were cloned from: open drafts and, of
// what the variant published or would adopt, the newest.
func (s *state) readLocks(pv *porchconfig.PackageVariant) error {
	var newest *variant.Revision
	for i := range s.Downstream {
		rev := &s.Downstream[i]
		switch {
		case rev.Repo != pv.Spec.Downstream.Repo || rev.Package != pv.Spec.Downstream.Package:
		case rev.Owner != variant.Owner(pv) && !s.MayTake(pv, rev):
		case rev.Number > 0 && (newest == nil || rev.Number > newest.Number):
			newest = rev
		case rev.Number == 0:
			if err := s.readLock(rev); err != nil {
				return err
			}
		}
	}
	if newest == nil {
		return nil
	}
	return s.readLock(newest)
}

func (s *state) readLock(rev *variant.Revision) (err error) {
	rev.Lock, err = s.revisions[rev.Name].UpstreamLock()
	if rev.Lock != nil && s.upstream != nil && s.upstream.URL != "" && s.upstream.IsAt(rev.Lock.Repo) {
		lock := *rev.Lock
		lock.Repo = s.upstream.URL // it may be a relative path
		rev.Lock = &lock
	}
	return err
}
