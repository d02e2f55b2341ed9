package pkg

import (
	"context"
	"fmt"
	"io"
	"path"
	"sync"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// fetchAgain is the help of --no-cache for commands that fetch packages.
const fetchAgain = "fetch again"

func addFetchCache(cmd *cobra.Command, cache *cli.CacheFlags) { cache.Add(cmd, fetchAgain) }

// gitSource fetches packages from Git repositories, through the cache.
func gitSource(cache *cli.CacheFlags) upstream.Source {
	o := gitrepo.ForUser()
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

// cachingSource asks a Source each thing once, so that several reads give the same.
type cachingSource struct {
	upstream.Source
	fetches sync.Map // of func() (*gitrepo.Fetched, error), by what they fetch
}

func (s *cachingSource) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	return s.once(from, func() (*gitrepo.Fetched, error) { return s.Source.Fetch(ctx, from) })
}

func (s *cachingSource) FetchLocked(ctx context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	return s.once(lock, func() (*gitrepo.Fetched, error) { return s.Source.FetchLocked(ctx, lock) })
}

func (s *cachingSource) once(key any, fetch func() (*gitrepo.Fetched, error)) (*gitrepo.Fetched, error) {
	first, _ := s.fetches.LoadOrStore(key, sync.OnceValues(fetch))
	return first.(func() (*gitrepo.Fetched, error))()
}

// fetchProgress prints what is fetched and what happens to it, as kpt does.
type fetchProgress struct {
	out    io.Writer
	root   string // the name of the package
	prefix string // "upstream " if there is an origin too
	last   string // the package that was printed last

	printed map[upstream.Event]bool // a second look at the same source fetches nothing
}

func (p *fetchProgress) observe(e upstream.Event) {
	if p.printed[e] {
		return
	}
	if p.printed == nil {
		p.printed = map[upstream.Event]bool{}
	}
	p.printed[e] = true
	name := path.Join(p.root, e.Package)
	if name != p.last {
		p.printf("Package %q:", name)
		p.last = name
	}
	switch e.Action {
	case upstream.Fetching:
		p.printf("Fetching %s%s", p.prefix, placeOf(e.From))
	case upstream.FetchingOrigin:
		p.printf("Fetching origin from %s", placeOf(e.From))
	case upstream.Adding:
		p.printf("Adding package %q.\n", upstream.NameOf(e.From))
	case upstream.Updating:
		p.printf("Updating package %q with strategy %q.\n", path.Base(name), e.Strategy)
	}
}

func (p *fetchProgress) printf(format string, args ...any) {
	fmt.Fprintln(p.out, cli.SafeText(fmt.Sprintf(format, args...)))
}

// leftOut warns of files of upstream that cannot be part of a package.
func (p *fetchProgress) leftOut(what []upstream.LeftOut) {
	for _, l := range what {
		p.printf("warning: %s: a %s is not part of a package, and was left out", l.Path, l.Kind)
	}
}

func placeOf(g kptfilev1.Git) string {
	if g.Ref == "" {
		return g.Repo
	}
	return g.Repo + "@" + gitrepo.RedactRef(g.Ref)
}
