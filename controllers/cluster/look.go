package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// seal is a digest of all that an open repository was opened with. Another one opens it anew.
type seal [sha256.Size]byte

// enter looks at a repository: anew, when what it is opened with has changed.
func (r *repositories) enter(ctx context.Context, e *entry, obj *porchconfig.Repository) (change, error) {
	if err := readable(obj); err != nil {
		e.mu.Lock()
		e.seal = seal{}
		e.mu.Unlock()
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
	opts := r.gitOptions(obj, a)
	if err := stillTooLarge(ctx, obj, opts); err != nil {
		return change{}, err
	}
	e.mu.Lock()
	before, same := e.repo, e.seal == sealed
	e.mu.Unlock()
	if before != nil && same {
		what, err := refresh(ctx, e)
		return what, tooLarge(err, opts)
	}
	git, repo, err := openGit(ctx, obj, opts)
	if err != nil {
		return change{}, tooLarge(err, opts)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.git, e.repo, e.seal = git, repo, sealed
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

// gitOptions are what the repository of an object is asked with.
func (r *repositories) gitOptions(obj *porchconfig.Repository, a access) gitrepo.Options {
	opts := gitrepo.Options{Credentials: a.credentials, CABundle: a.authorities, Bounds: r.options.Git}
	if tell := r.options.OnStep; tell != nil {
		namespace, name := obj.Namespace, obj.Name // obj is the caller's, who goes on to change it
		opts.OnStep = func(step gitrepo.Step) { tell(namespace, name, step) }
	}
	return opts
}

func openGit(ctx context.Context, obj *porchconfig.Repository, opts gitrepo.Options) (*gitrepo.Repo, *packagevariant.Repository, error) {
	git := obj.Spec.Git
	repo, err := gitrepo.Open(ctx, git.Repo, opts)
	if err != nil {
		return nil, nil, err
	}
	store, err := revision.New(repo, revision.Config{
		Name: obj.Name, Branch: git.BranchName(), CreateBranch: git.CreateBranch, Directory: git.Directory,
		Author: git.Author, Email: git.Email, HydratorMetadata: obj.Annotations[waybill.HydratorMetadataAnnotation] == "true",
		Attempts: 1, // a variant that is refused is tried again after the others, not while they wait
	})
	if err != nil {
		return nil, nil, err
	}
	return repo, &packagevariant.Repository{
		Store: store, URL: gitrepo.Redact(git.Repo), Address: gitrepo.Address(git.Repo), Directory: store.Directory(),
		Deployment: obj.Spec.Deployment,
	}, nil
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
