package porchstore

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// requestTimeout bounds one request.
const requestTimeout = time.Minute

// Store holds the package revisions of one Repository object.
type Store struct {
	client   client.Client // of Porch's kinds, uncached
	objects  client.Reader // of PackageVariants and Repositories
	of       client.ObjectKey
	url      string
	branch   string
	dir      string
	observed bool // Observe is told what changes: a Refresh reads that only

	mu    sync.Mutex
	items map[string]*item // by name
	gone  map[string]*item // what Porch has no more, though this Store did not delete it; without files
	dirty map[string]bool  // names of what may have changed
	whole bool             // everything may have changed
	busy  map[string]bool  // names of what this Store is writing: others' reads may be older
	dry   bool

	now       func() time.Time
	lastWrite time.Time             // by this Store
	rereadAt  time.Time             // when to read files again that could not be read; zero for none
	unsettled map[string]*unsettled // by name: read again once the repository is quiet
}

// item is one revision: its object and what that means, and its files and their digest once they were read. If Porch lost metadata of
// the object, it is there nevertheless.
type item struct {
	obj     porch.PackageRevision
	lost    bool
	ending  bool // an event said that its deletion is proposed
	rev     revision.Revision
	content *pkgtree.Tree
	digest  string
}

var _ snapshot.Store = (*Store)(nil)

// Options say how a Store works.
type Options struct {
	// Client reads and writes Porch's kinds, uncached. Objects reads PackageVariants and Repositories.
	Client  client.Client
	Objects client.Reader
	// Observed says that Observe and Expire are told of changes, so that Refresh need not list.
	Observed bool
	// Now is the clock; time.Now by default.
	Now func() time.Time
}

// Open opens the repository of a Repository object that Porch serves.
func Open(ctx context.Context, obj *porchconfig.Repository, o Options) (*snapshot.Repository, *Store, error) {
	if err := obj.Validate(); err != nil {
		return nil, nil, err
	}
	if obj.Spec.Git == nil {
		return nil, nil, fmt.Errorf("spec.type %q: this release reads repositories of type %q", obj.Spec.Type, porchconfig.RepositoryTypeGit)
	}
	s := &Store{client: newSerial(o.Client), objects: o.Objects, observed: o.Observed, of: client.ObjectKeyFromObject(obj),
		branch: obj.Spec.Git.BranchName(), items: map[string]*item{}, gone: map[string]*item{},
		dirty: map[string]bool{}, busy: map[string]bool{}, whole: true, now: o.Now, unsettled: map[string]*unsettled{}}
	if s.now == nil {
		s.now = time.Now
	}
	repo := snapshot.Describe(obj, obj.Spec.Git.Repo, s)
	s.dir = repo.Directory
	if s.url = repo.URL; !strings.HasSuffix(s.url, ".git") { // as locks have it
		s.url += ".git"
	}
	return repo, s, s.Refresh(ctx)
}

// List returns every revision that Porch lists.
func (s *Store) List() ([]revision.Revision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list(), nil
}

// list is List while s.mu is held.
func (s *Store) list() []revision.Revision {
	revs := make([]revision.Revision, 0, len(s.items))
	for _, i := range s.items {
		revs = append(revs, i.rev)
	}
	return revision.SortAndMark(revs)
}

// Content reads a revision's files.
func (s *Store) Content(rev revision.Revision) (pkgtree.Tree, error) {
	if now, content := s.known(rev.Name); content != nil && now.Target == rev.Target {
		return *content, nil
	}
	res, err := s.resources(context.Background(), rev.Name)
	if err != nil {
		return pkgtree.Tree{}, s.problem("read the files", rev, err)
	}
	if target(res.ResourceVersion) != rev.Target {
		return pkgtree.Tree{}, s.stale(rev)
	}
	tree, err := treeOf(res)
	if err != nil {
		return pkgtree.Tree{}, s.problem("read the files", rev, err)
	}
	s.keep(rev, tree)
	return tree, nil
}

// keep keeps the files of a revision that is still as it was.
func (s *Store) keep(rev revision.Revision, tree pkgtree.Tree) {
	digest := digestOf(tree)
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.items[rev.Name]; i != nil && i.rev.Target == rev.Target {
		i.content, i.digest = &tree, digest
		i.findEdits()
	}
}

// findEdits notes whether others changed what Waybill wrote for an owner: its files have another digest then, and what others made has
// none. A draft or proposal whose files were not read yet may have edits, and nothing may delete those.
func (i *item) findEdits() {
	noted := i.obj.Annotations[ContentAnnotation]
	unread := i.digest == "" && i.rev.Lifecycle.IsPublished() // those of later drafts are never read
	i.rev.Foreign = i.rev.Owner != (revision.Owner{}) && (noted == "" || i.digest != noted && !unread)
}

// At reads the package that a lock names, if it is that of a revision that Porch serves. Porch serves no other commit.
func (s *Store) At(lock revision.Lock) (pkgtree.Tree, error) {
	commit, dir := lock.Commit, lock.Directory
	revs, err := s.List()
	if err != nil {
		return pkgtree.Tree{}, err
	}
	for _, rev := range revs {
		if !rev.Commit.IsZero() && rev.Commit.String() == commit && (dir == rev.Path || dir == rev.Package) {
			return s.Content(rev)
		}
	}
	return pkgtree.Tree{}, fmt.Errorf("repository %q: Porch serves no revision of package %q at commit %s: make one of that commit, "+
		"or reconcile once with --revisions git", s.of.Name, dir, commit)
}

// Lock is the place of a revision. Its commit is empty where Porch does not tell it.
func (s *Store) Lock(rev revision.Revision) revision.Lock {
	l := revision.Lock{Repo: s.url, Directory: rev.Path, Ref: shortRef(rev.Ref)}
	if !rev.Commit.IsZero() {
		l.Commit = rev.Commit.String()
	}
	return l
}

// Rehearse starts a dry run.
func (s *Store) Rehearse() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dry = true
}

// isDry reports whether this is a dry run.
func (s *Store) isDry() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dry
}
