package local

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Repositories opens the Git repositories of an Input, each at most once.
type Repositories struct {
	in     *Input
	onStep func(gitrepo.Step)

	mu   sync.Mutex
	open map[Key]opened
}

// opened is a repository, or why it cannot be had.
type opened struct {
	repo *packagevariant.Repository
	err  error
}

var _ packagevariant.Repositories = (*Repositories)(nil)

// Repositories returns the repositories of in. onStep, which may be nil, is told what Git does.
func (in *Input) Repositories(onStep func(gitrepo.Step)) *Repositories {
	return &Repositories{in: in, onStep: onStep, open: map[Key]opened{}}
}

// Keys are the names of all Repository objects, sorted.
func (r *Repositories) Keys() []Key {
	return slices.SortedFunc(maps.Keys(r.in.repositories), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// Names are the names of the Repository objects of a namespace, sorted.
func (r *Repositories) Names(_ context.Context, namespace string) (names []string, err error) {
	for _, key := range r.Keys() {
		if key.Namespace == namespace {
			names = append(names, key.Name)
		}
	}
	return names, nil
}

// Repository opens a repository by the name of its Repository object. One that cannot be opened is
// not tried again: a fleet's variants mostly share their repositories, and would all wait for it.
func (r *Repositories) Repository(ctx context.Context, namespace, name string) (*packagevariant.Repository, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := Key{namespace, name}
	obj := r.in.repositories[key]
	if obj == nil {
		return nil, &packagevariant.NoRepositoryError{Namespace: namespace, Name: name}
	}
	o, known := r.open[key]
	if !known {
		o.repo, o.err = r.openRepository(ctx, key, obj)
		r.open[key] = o
	}
	if o.err != nil {
		return nil, fmt.Errorf("repository %s: %w", key, o.err)
	}
	return o.repo, nil
}

func (r *Repositories) openRepository(ctx context.Context, key Key, obj *repository) (*packagevariant.Repository, error) {
	if err := obj.Validate(); err != nil {
		return nil, err
	}
	git := obj.Spec.Git
	if obj.Spec.Type != porchconfig.RepositoryTypeGit {
		return nil, fmt.Errorf("spec.type %q: this release reads repositories of type %q", obj.Spec.Type, porchconfig.RepositoryTypeGit)
	}
	creds, err := r.in.credentials(key.Namespace, git.SecretRef.Name)
	if err != nil {
		return nil, err
	}
	repo, err := gitrepo.Open(ctx, location(obj.dir, git.Repo), gitrepo.Options{Credentials: creds, SSH: gitrepo.SSHFromEnvironment(os.Getenv), OnStep: r.onStep})
	if err != nil {
		return nil, err
	}
	store, err := revision.New(repo, revision.Config{
		Name: obj.Name, Branch: git.BranchName(), CreateBranch: git.CreateBranch, Directory: git.Directory,
		Author: git.Author, Email: git.Email,
	})
	if err != nil {
		return nil, err
	}
	return &packagevariant.Repository{Store: store, URL: gitrepo.Redact(git.Repo), Deployment: obj.Spec.Deployment}, nil
}

// location is where the repository is: a relative path counts from its file's folder, everything
// else stands as it is.
func location(dir, repo string) string {
	if first, _, _ := strings.Cut(repo, "/"); strings.Contains(first, ":") || filepath.IsAbs(repo) {
		return repo
	}
	return filepath.Join(dir, filepath.FromSlash(repo))
}
