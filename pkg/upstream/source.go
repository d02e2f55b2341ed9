package upstream

import (
	"context"
	"errors"
	"fmt"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Source has packages.
type Source interface {
	// Fetch is what a ref stands for now; an empty one is the default branch.
	Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error)
	// FetchLocked is what was fetched before.
	FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error)
}

// Git is the Source of packages in Git repositories. Kptfiles name repositories without ".git", as kpt
// writes them, whatever they are called; so where there is none of a name, ".git" is tried, too.
type Git struct {
	Options gitrepo.Options
	// Rewrite, when set, is where a repository is fetched from in truth: it changes nothing of what is written down.
	Rewrite func(ctx context.Context, repo string) (string, error)
}

// Fetch asks the repository.
func (g Git) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	return g.eitherName(ctx, from.Repo, func(url string) (*gitrepo.Fetched, error) {
		return gitrepo.FetchPackage(ctx, url, directory(from.Directory), from.Ref, g.Options)
	})
}

// FetchLocked asks the repository only for what is not in the cache.
func (g Git) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	commit, err := gitrepo.ParseHash(strings.ToLower(lock.Commit))
	if err != nil {
		return nil, fmt.Errorf("upstreamLock.git.commit %q: want 40 hex digits", lock.Commit)
	}
	return g.eitherName(ctx, lock.Repo, func(url string) (*gitrepo.Fetched, error) {
		return gitrepo.FetchLocked(ctx, url, directory(lock.Directory), lock.Ref, commit, g.Options)
	})
}

// directory is a directory as Git names it: the root is "".
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
