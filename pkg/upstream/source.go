package upstream

import (
	"context"
	"errors"
	"fmt"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Source fetches packages.
type Source interface {
	// Fetch fetches the commit of a ref; an empty ref is the default branch.
	Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error)
	// FetchLocked fetches a commit that was fetched before.
	FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error)
}

// Git is the Source of packages in Git repositories. kpt writes the names of repositories into Kptfiles without ".git",
// even if they have it; if there is no repository of a name, the name with ".git" is tried, too.
type Git struct {
	Options gitrepo.Options
	// Rewrite, when set, returns the URL from which a repository is fetched. Kptfiles keep the original URL.
	Rewrite func(ctx context.Context, repo string) (string, error)
}

// Fetch implements Source.
func (g Git) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	return g.eitherName(ctx, from.Repo, func(url string) (*gitrepo.Fetched, error) {
		return gitrepo.FetchPackage(ctx, url, directory(from.Directory), from.Ref, g.Options)
	})
}

// FetchLocked implements Source. It asks the repository only for what is not in the cache.
func (g Git) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	commit, err := gitrepo.ParseHash(strings.ToLower(lock.Commit))
	if err != nil {
		return nil, fmt.Errorf("upstreamLock.git.commit %q: want 40 hex digits", lock.Commit)
	}
	return g.eitherName(ctx, lock.Repo, func(url string) (*gitrepo.Fetched, error) {
		return gitrepo.FetchLocked(ctx, url, directory(lock.Directory), lock.Ref, commit, g.Options)
	})
}

// directory is a directory in the form of Git, where the root is "".
func directory(dir string) string { return strings.Trim(strings.TrimPrefix(dir, "./"), "/") }

func (g Git) eitherName(ctx context.Context, repo string, fetch func(url string) (*gitrepo.Fetched, error)) (*gitrepo.Fetched, error) {
	if g.Rewrite != nil {
		var err error
		if repo, err = g.Rewrite(ctx, repo); err != nil {
			return nil, err
		}
	}
	f, err := fetch(repo)
	var none *gitrepo.NotFoundError
	if !errors.As(err, &none) || strings.HasSuffix(repo, ".git") {
		return f, err
	}
	if f, second := fetch(strings.TrimSuffix(repo, "/") + ".git"); second == nil || !errors.As(second, &none) {
		return f, second
	}
	return nil, err
}
