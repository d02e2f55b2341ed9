package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// seal is a digest of all that an open repository was opened with. Another one opens it anew.
type seal [sha256.Size]byte

// look makes sure that a repository is open, and was looked at lately enough, and says who is
// concerned by what is new. A look that fails leaves the repository open.
func (r *repositories) look(ctx context.Context, obj *porchconfig.Repository, v visit) (*entry, error) {
	at := key{Namespace: obj.Namespace, Name: obj.Name}
	e := r.entry(at)
	e.mu.Lock()
	defer e.mu.Unlock()
	of := identity{string(obj.UID), obj.Generation}
	if now := time.Now(); e.of == of {
		if e.err != nil && !v.poll && now.Before(e.retry) {
			e.missed = true
			return nil, e.err
		}
		if e.err == nil && now.Sub(e.looked) <= v.maxAge {
			return e, nil
		}
	}
	what, err := r.enter(ctx, e, obj)
	if ctx.Err() != nil || absent(err) { // that says nothing about the repository
		return nil, errors.Join(err, ctx.Err())
	}
	e.settle(of, err, r.options)
	r.meters.looked(at, e)
	if err != nil {
		e.missed = e.missed || !v.poll
		return nil, err
	}
	if e.missed { // those who were told that there is nothing
		what, e.missed = change{all: true}, false
	}
	if !what.none() {
		r.changed(ctx, at, what, v.except)
	}
	return e, nil
}

// settle notes how a look went, and when to try again if it did not go well.
func (e *entry) settle(of identity, err error, o Options) {
	e.of, e.err = of, err
	if err == nil {
		e.looked, e.tries = time.Now(), 0
		return
	}
	pause := min(o.FirstRetry<<min(e.tries, 20), o.PollInterval)
	e.retry = time.Now().Add(pause)
	e.tries++
}

// enter looks at a repository: anew, when what it is opened with has changed.
func (r *repositories) enter(ctx context.Context, e *entry, obj *porchconfig.Repository) (change, error) {
	if err := readable(obj); err != nil {
		e.seal = seal{}
		return change{}, err
	}
	a, err := readAccess(ctx, r.live, obj)
	if err != nil {
		return change{}, err
	}
	sealed, err := sealOf(obj, a)
	if err != nil {
		return change{}, err
	}
	if e.repo != nil && e.seal == sealed {
		return refresh(ctx, e)
	}
	before := e.repo
	if err := r.open(ctx, e, obj, a); err != nil {
		return change{}, err
	}
	e.seal = sealed
	return change{all: before != nil}, nil
}

// readable says why a repository cannot be one that packages are read from. A path would be one of
// this process's own machine, which is nobody's to read.
func readable(obj *porchconfig.Repository) error {
	if err := obj.Validate(); err != nil {
		return err
	}
	if obj.Spec.Type != porchconfig.RepositoryTypeGit {
		return fmt.Errorf("spec.type %q: this release reads repositories of type %q", obj.Spec.Type, porchconfig.RepositoryTypeGit)
	}
	url := obj.Spec.Git.Repo
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return fmt.Errorf("spec.git.repo %q: in a cluster, want an https or http URL", gitrepo.Redact(url))
	}
	return nil
}

func sealOf(obj *porchconfig.Repository, a access) (seal, error) {
	data, err := json.Marshal([]any{
		obj.UID, obj.Spec.Git, obj.Spec.Deployment, a.credentials.Username, a.credentials.Password, a.credentials.BearerToken, a.authorities,
	})
	return sha256.Sum256(data), err
}

func (r *repositories) open(ctx context.Context, e *entry, obj *porchconfig.Repository, a access) error {
	git := obj.Spec.Git
	opts := gitrepo.Options{Credentials: a.credentials, CABundle: a.authorities}
	if tell := r.options.OnStep; tell != nil {
		namespace, name := obj.Namespace, obj.Name // obj is the caller's, who goes on to change it
		opts.OnStep = func(step gitrepo.Step) { tell(namespace, name, step) }
	}
	repo, err := gitrepo.Open(ctx, git.Repo, opts)
	if err != nil {
		return err
	}
	store, err := revision.New(repo, revision.Config{
		Name: obj.Name, Branch: git.BranchName(), CreateBranch: git.CreateBranch, Directory: git.Directory,
		Author: git.Author, Email: git.Email, HydratorMetadata: obj.Annotations[waybill.HydratorMetadataAnnotation] == "true",
		Attempts: 1, // a variant that is refused is tried again after the others, not while they wait
	})
	if err != nil {
		return err
	}
	e.git = repo
	e.repo = &packagevariant.Repository{
		Store: store, URL: gitrepo.Redact(git.Repo), Address: gitrepo.Address(git.Repo), Directory: store.Directory(), Deployment: obj.Spec.Deployment,
	}
	return nil
}

// refresh looks at an open repository. What we pushed ourselves is in its view already, and is no
// news.
func refresh(ctx context.Context, e *entry) (change, error) {
	refs := e.git.Refs()
	before, err := e.repo.Store.List()
	if err != nil {
		return change{}, err
	}
	if err := e.repo.Store.Refresh(ctx); err != nil {
		return change{}, err
	}
	if slices.Equal(refs, e.git.Refs()) {
		return change{}, nil
	}
	after, err := e.repo.Store.List()
	return newSurvey(after).since(newSurvey(before)), err
}

// repositoryError says which repository it is that cannot be had.
func repositoryError(at key, err error) error { return fmt.Errorf("repository %s: %w", at, err) }
