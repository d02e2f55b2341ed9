package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// Repository is an open repository of package revisions.
type Repository struct {
	Store Store
	// ForUsers is the Store for the commands of users; nil where the revisions are those of a server.
	ForUsers revision.Repository
	// URL is the repository's address as its Repository object has it, a path in full: what locks record. It is "" for a registry:
	// each package has an address of its own there.
	URL string
	// Written is the address as the object has it. Locks of earlier releases have relative paths as well.
	Written string
	// Address is where the repository is, the same however objects write its URL: see gitrepo.Address.
	Address string
	// Directory is where in it the packages are, without slashes at its ends; "" for all of it.
	Directory string
	// NoDrafts says why no drafts are made here; "" where they are.
	NoDrafts string
	// Deployment says that packages here get a package context.
	Deployment bool
}

// Repositories opens repositories by the names of their Repository objects. It serves many
// goroutines at once.
type Repositories interface {
	// Repository returns the open repository of that name. Where there is no such object the error is a
	// *NoRepositoryError.
	Repository(ctx context.Context, namespace, name string) (*Repository, error)
	// Names returns the names of all Repository objects of a namespace, sorted.
	Names(ctx context.Context, namespace string) ([]string, error)
}

// NoRepositoryError says that there is no Repository object of that name.
type NoRepositoryError struct{ Namespace, Name string }

func (e *NoRepositoryError) Error() string {
	return fmt.Sprintf("there is no Repository %q in namespace %q", e.Name, e.Namespace)
}

// Credentials reads the data of a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func Credentials(secret string, data map[string][]byte) (gitrepo.Credentials, error) {
	c := gitrepo.Credentials{
		Username: string(data["username"]), Password: string(data["password"]), BearerToken: string(data["bearerToken"]),
	}
	if c.BearerToken == "" && c.Password == "" {
		return gitrepo.Credentials{}, fmt.Errorf("secret %q holds neither a password nor a bearerToken", secret)
	}
	return c, nil
}

// Open opens the repository of a valid Repository object, which is at a URL or absolute path. attempts bounds how often a push is tried
// again after another client was faster; 0 is the default of package revision.
func Open(ctx context.Context, obj *porchconfig.Repository, at string, opts gitrepo.Options, attempts int,
) (*Repository, *gitrepo.Repo, error) {
	git := obj.Spec.Git
	repo, err := gitrepo.Open(ctx, at, opts)
	if err != nil {
		return nil, nil, err
	}
	store, err := revision.New(repo, revision.Config{
		Name: obj.Name, Branch: git.BranchName(), CreateBranch: git.CreateBranch, Directory: git.Directory, Attempts: attempts,
		Author: git.Author, Email: git.Email, HydratorMetadata: obj.Annotations[waybill.HydratorMetadataAnnotation] == "true",
	})
	if err != nil {
		return nil, nil, err
	}
	r := Describe(obj, at, store)
	r.ForUsers = store
	return r, repo, nil
}

// Describe is the repository of a valid Repository object, which is at a URL or absolute path, with its revisions in a store.
func Describe(obj *porchconfig.Repository, at string, store Store) *Repository {
	git := obj.Spec.Git
	return &Repository{
		Store: store, URL: gitrepo.Redact(at), Written: gitrepo.Redact(git.Repo), Address: address(at),
		Directory: strings.Trim(path.Clean("/"+git.Directory), "/"), Deployment: obj.Spec.Deployment,
	}
}

// address returns where a repository is, a path without symbolic links.
func address(at string) string {
	at = gitrepo.Address(at)
	if dir, local := strings.CutPrefix(at, "file://"); local {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return "file://" + real
		}
	}
	return at
}

// UpstreamOnlyError is why a repository of packages to clone cannot be read. It holds nothing that PackageVariants made.
type UpstreamOnlyError struct{ Err error }

func (e *UpstreamOnlyError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UpstreamOnlyError) Unwrap() error { return e.Err }

// IsAt reports whether a lock names this repository.
func (r *Repository) IsAt(repo string) bool {
	if r.URL == "" {
		return strings.HasPrefix(repo, r.Written+"/")
	}
	return gitrepo.SameRepository(r.URL, repo) || gitrepo.SameRepository(r.Written, repo)
}

// lock returns where rev is, at the address that the Repository object gives.
func (r *Repository) lock(rev revision.Revision) kptfilev1.GitLock {
	l := r.Store.Lock(rev)
	return kptfilev1.GitLock{Repo: cmp.Or(r.URL, l.Repo), Directory: l.Directory, Ref: l.Ref, Commit: l.Commit}
}

// IsNoRepository reports whether an error says that there is no such Repository object.
func IsNoRepository(err error) bool {
	var missing *NoRepositoryError
	return errors.As(err, &missing)
}
