package pkg

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// fetchAgain is the help of --no-cache for commands that fetch packages.
const fetchAgain = "fetch again what was fetched before"

func addFetchCache(cmd *cobra.Command, cache *cli.CacheFlags) { cache.Add(cmd, fetchAgain) }

// gitSource fetches packages from Git repositories, through the cache.
func gitSource(cache *cli.CacheFlags) upstream.Source {
	o := gitrepo.Options{SSH: gitrepo.SSHFromEnvironment(os.Getenv), Ask: auth.Ask}
	if me, err := user.Current(); err == nil {
		o.SSH.User = cmp.Or(o.SSH.User, me.Username)
	}
	if dir := cache.Folder("repositories"); dir != "" {
		o.Cache = gitrepo.NewCache(dir, 0, func(err error) { cache.Note(fmt.Errorf("repository cache %q: %w", dir, err)) })
	}
	return upstream.Git{Options: o, Rewrite: newRewrite()}
}

// newRewrite returns the URL rewrites of the user's git config (insteadOf). It reads them once, before the first fetch.
func newRewrite() func(context.Context, string) (string, error) {
	var once sync.Once
	var rewrite func(string) string
	var err error
	return func(ctx context.Context, repo string) (string, error) {
		if once.Do(func() { rewrite, err = auth.Rewrites(ctx) }); err != nil {
			return "", err
		}
		return rewrite(repo), nil
	}
}

// absoluteRepo makes a local path absolute.
func absoluteRepo(repo string) (string, error) {
	if strings.Contains(repo, "://") || !gitrepo.IsLocal(repo) {
		return repo, nil
	}
	return filepath.Abs(repo)
}

// cachingSource asks a Source each thing once, so that several reads give the same.
type cachingSource struct {
	upstream.Source
	mu      sync.Mutex
	results map[any]fetchResult
}

type fetchResult struct {
	f   *gitrepo.Fetched
	err error
}

func newCachingSource(src upstream.Source) *cachingSource {
	return &cachingSource{Source: src, results: map[any]fetchResult{}}
}

func (s *cachingSource) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	return s.once(from, func() (*gitrepo.Fetched, error) { return s.Source.Fetch(ctx, from) })
}

func (s *cachingSource) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	return s.once(lock, func() (*gitrepo.Fetched, error) { return s.Source.FetchLocked(ctx, lock) })
}

func (s *cachingSource) once(key any, fetch func() (*gitrepo.Fetched, error)) (*gitrepo.Fetched, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	got, ok := s.results[key]
	if !ok {
		got.f, got.err = fetch()
		s.results[key] = got
	}
	return got.f, got.err
}
