package main

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

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// fetchAnew is what --no-cache does for commands that fetch packages.
const fetchAnew = "fetch again what was fetched before"

func addFetchCache(cmd *cobra.Command, cache *cacheFlags) { cache.add(cmd, fetchAnew) }

// gitSource has packages from Git repositories, and keeps what it fetched in the cache.
func gitSource(cache *cacheFlags) upstream.Source {
	o := gitrepo.Options{SSH: gitrepo.SSHFromEnvironment(os.Getenv), Ask: auth.Ask}
	if me, err := user.Current(); err == nil {
		o.SSH.User = cmp.Or(o.SSH.User, me.Username)
	}
	if dir := cache.folder("repositories"); dir != "" {
		o.Cache = gitrepo.NewCache(dir, 0, func(err error) { cache.note(fmt.Errorf("repository cache %q: %w", dir, err)) })
	}
	return upstream.Git{Options: o, Rewrite: newRewrite()}
}

// newRewrite reads what URLs the user has git replace by others, once, and when the first is to be fetched.
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

// absoluteRepo is a repository as it can be found from anywhere.
func absoluteRepo(repo string) (string, error) {
	if strings.Contains(repo, "://") || !gitrepo.IsLocal(repo) {
		return repo, nil
	}
	return filepath.Abs(repo)
}

// steady is a Source that is asked each thing once, so that several looks at it see the same.
type steady struct {
	upstream.Source
	mu   sync.Mutex
	seen map[any]seen
}

type seen struct {
	f   *gitrepo.Fetched
	err error
}

func newSteady(src upstream.Source) *steady { return &steady{Source: src, seen: map[any]seen{}} }

func (s *steady) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	return s.once(from, func() (*gitrepo.Fetched, error) { return s.Source.Fetch(ctx, from) })
}

func (s *steady) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	return s.once(lock, func() (*gitrepo.Fetched, error) { return s.Source.FetchLocked(ctx, lock) })
}

func (s *steady) once(key any, fetch func() (*gitrepo.Fetched, error)) (*gitrepo.Fetched, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	got, ok := s.seen[key]
	if !ok {
		got.f, got.err = fetch()
		s.seen[key] = got
	}
	return got.f, got.err
}
