package revision

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Config is the configuration of a Repository object, and of retries.
type Config struct {
	Name         string // of the Repository object
	Branch       string // main branch; default "main"
	CreateBranch bool   // make a missing main branch with the first draft
	Directory    string // root of the packages, "" for the whole repository
	Author       string // commit author, in place of the requesting user when either is set
	Email        string
	// HydratorMetadata makes approvals write HydratorFile.
	HydratorMetadata bool

	// Attempts bounds the attempts to change the main branch when other clients move it. Default 5.
	Attempts int
	// Wait waits before the next attempt. Default: a timer, which ctx interrupts.
	Wait func(ctx context.Context, pause time.Duration) error
}

// Store holds the package revisions of one repository. Its methods may be called concurrently.
type Store struct {
	repo *gitrepo.Repo
	cfg  Config

	mu   sync.Mutex
	memo map[origin]facts // commits never change
	main mainView
	// adopted are the adoptions in a branch of them, by its commit.
	adopted map[gitrepo.Hash]map[string]Adoption

	locks sync.Map // gitrepo.Hash of a package's tree → its lock, for HydratorFile; trees never change either
}

// New makes a Store for repo. It reads nothing yet.
func New(repo *gitrepo.Repo, cfg Config) (*Store, error) {
	if errs := validation.IsDNS1123Label(cfg.Name); len(errs) > 0 {
		return nil, fmt.Errorf("repository name %q: %s", cfg.Name, errs[0])
	}
	if slices.Contains(strings.Split(cfg.Directory, "/"), "..") {
		return nil, fmt.Errorf("repository %q: directory %q leads out of the repository", cfg.Name, cfg.Directory)
	}
	if cfg.Directory = strings.Trim(path.Clean("/"+cfg.Directory), "/"); cfg.Directory != "" {
		if err := pkgtree.CheckPath(cfg.Directory); err != nil {
			return nil, fmt.Errorf("repository %q: directory: %w", cfg.Name, err)
		}
	}
	cfg.Branch = cmp.Or(cfg.Branch, "main")
	if cfg.Attempts <= 0 {
		cfg.Attempts = 5
	}
	if cfg.Wait == nil {
		cfg.Wait = sleep
	}
	return &Store{repo: repo, cfg: cfg, memo: map[origin]facts{}, adopted: map[gitrepo.Hash]map[string]Adoption{}}, nil
}

// Directory is the root of the packages, without slashes at its ends; "" for the whole repository.
func (s *Store) Directory() string { return s.cfg.Directory }

// Refresh reads the refs of the repository again.
func (s *Store) Refresh(ctx context.Context) error { return s.repo.Refresh(ctx) }

// Rehearse starts a dry run: later changes are checked as in a real run, and stay in the view. It cannot be
// undone.
func (s *Store) Rehearse() { s.repo.Rehearse() }

// At reads the package in the directory and at the commit that a Lock names.
func (s *Store) At(lock Lock) (pkgtree.Tree, error) {
	id, err := gitrepo.ParseHash(lock.Commit)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return s.repo.Package(id, strings.Trim(lock.Directory, "/"))
}

// URL is the address of the repository, without credentials.
func (s *Store) URL() string { return s.repo.URL() }

// Content reads a revision's files.
func (s *Store) Content(rev Revision) (pkgtree.Tree, error) {
	return s.repo.Package(rev.Commit, rev.Path)
}

// CheckBranch refuses a main branch that is missing, or whose name is illegal. One that the first draft will make is no fault, and
// neither is that of an empty repository, in which there is nothing to list.
func (s *Store) CheckBranch() error {
	if err := gitrepo.CheckBranch(s.cfg.Branch); err != nil {
		return fmt.Errorf("spec.git.branch: %w", err)
	}
	if s.head().IsZero() && !s.cfg.CreateBranch && len(s.repo.Refs()) > 0 {
		return fmt.Errorf("the repository has no branch %q: push one, or set spec.git.createBranch", s.cfg.Branch)
	}
	return nil
}

// MainRef is the full name of the main branch.
func (s *Store) MainRef() string { return "refs/heads/" + s.cfg.Branch }

// head returns the main branch's commit, zero when there is no such branch.
func (s *Store) head() gitrepo.Hash {
	ref, _ := s.repo.Ref(s.MainRef())
	return ref.Commit
}

// path is where a package lies in the repository.
func (s *Store) path(pkg string) string { return path.Join(s.cfg.Directory, pkg) }

// pkg is the reverse of path; false when the path is not below the directory.
func (s *Store) pkg(at string) (string, bool) {
	if s.cfg.Directory == "" {
		return at, at != ""
	}
	rest, ok := strings.CutPrefix(at, s.cfg.Directory+"/")
	return rest, ok && rest != ""
}

// retry repeats op, after a refresh, as long as other clients move the main branch or make the tag
// of the approval, or the server has a transient error.
func (s *Store) retry(ctx context.Context, op func() error) error {
	for attempt := 1; ; attempt++ {
		err := op()
		unit, again := s.pause(err)
		if !again || attempt == s.cfg.Attempts {
			return err
		}
		if werr := s.cfg.Wait(ctx, time.Duration(attempt)*unit); werr != nil {
			return errors.Join(err, werr)
		}
		if rerr := s.repo.Refresh(ctx); rerr != nil {
			return rerr
		}
	}
}

// pause reports whether to try again after err, and the unit of the pause before that.
func (s *Store) pause(err error) (time.Duration, bool) {
	var stale *gitrepo.StaleError
	var rejected *gitrepo.RejectedError
	switch {
	case errors.As(err, &stale):
		return 200 * time.Millisecond, stale.Ref == s.MainRef() || strings.HasPrefix(stale.Ref, tagPrefix) && stale.Want.IsZero()
	case errors.As(err, &rejected) && strings.Contains(rejected.Status, "hook declined"):
		return time.Second, rejected.Transient()
	case errors.As(err, &rejected):
		return 200 * time.Millisecond, rejected.Transient()
	}
	return 0, false
}

func sleep(ctx context.Context, pause time.Duration) error {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
