package branch

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

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Options say what is kept where. What is zero takes the value that is named with it.
type Options struct {
	// Package is the package that is read: a directory below that of the repository; "", all of it.
	Package string
	// Branch gets the results: status.
	Branch string
	// History is the most commits that the branch keeps: 1000.
	History int
	// Weight is the most bytes that it keeps, since all of them are held in memory: 64 MiB.
	Weight int64
	// Survey says how results are made; its WDSName, whose reports count.
	Survey combine.Options
	// Now is the clock of commits: time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Package = strings.Trim(path.Clean("/"+o.Package), "/")
	o.Branch = cmp.Or(o.Branch, "status")
	o.History = cmp.Or(o.History, 1000)
	o.Weight = cmp.Or(o.Weight, 64<<20)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Check returns what is wrong with the names.
func (o Options) Check() error {
	if slices.Contains(strings.Split(o.Package, "/"), "..") {
		return fmt.Errorf("package %q leads out of the repository", o.Package)
	}
	o = o.withDefaults()
	if o.Package != "" {
		if err := pkgtree.CheckPath(o.Package); err != nil {
			return fmt.Errorf("package: %w", err)
		}
	}
	if err := gitrepo.CheckBranch(o.Branch); err != nil {
		return err
	}
	return o.checkBranch("")
}

// Opened is a repository, and what its owner says about it.
type Opened struct {
	Repo *gitrepo.Repo
	// Branch is the main branch, and Directory where its packages are.
	Branch, Directory string
	// Author and Email are whose commits these are; "" for both is the controller.
	Author, Email string
}

// Repository is a way to a repository.
type Repository interface {
	// Open returns the repository with a view that is new enough.
	Open(ctx context.Context) (Opened, error)
	// Reopen has the next Open begin with nothing in memory.
	Reopen()
}

// Keeper keeps the results of one package on one branch. Reports may come at any time; passes are for one
// goroutine.
type Keeper struct {
	repository Repository
	options    Options

	mu      sync.Mutex
	seen    *reports.Index
	sources map[reports.Source]struct{}

	held     reading
	survey   *surveyed
	stands   standing
	linear   string // the repository that takes no branch which begins anew
	weighed  weighed
	grown    bool // the branch is full, and cannot begin anew
	reopened bool // since the last commit
}

// reading is what was read of a directory.
type reading struct {
	dir   gitrepo.Hash
	items []*krm.Object
}

// surveyed is what came of a package and of reports.
type surveyed struct {
	dir     gitrepo.Hash
	version int
	failed  bool
	files   pkgtree.Tree // without results
	results sdk.Results  // in order
	report  []byte       // the results as a file; nil for none
}

// standing is what the branch holds since a pass.
type standing struct {
	survey *surveyed
	folder gitrepo.Hash
}

// Outcome is what a pass came to.
type Outcome struct {
	// Commit is zero when there was nothing to be written.
	Commit gitrepo.Hash
	// Failed says that something is so wrong that results stay as they were.
	Failed bool
	// Results say what is wrong and what is odd, worst first.
	Results sdk.Results
	// Grown says that the branch holds more than is to be kept, and cannot begin anew.
	Grown bool
}

// New returns a Keeper that knows of no reports.
func New(r Repository, o Options) *Keeper {
	o = o.withDefaults()
	return &Keeper{repository: r, options: o, seen: reports.New(o.Survey.WDSName), sources: map[reports.Source]struct{}{}}
}

// Put takes in a WorkStatus or a ManifestWork. One that cannot be read reports nothing any more.
func (k *Keeper) Put(source reports.Source, obj map[string]any) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, err := k.seen.Put(obj); err != nil {
		k.drop(source)
		return err
	}
	k.sources[source] = struct{}{}
	return nil
}

// Delete takes out what a source reported.
func (k *Keeper) Delete(source reports.Source) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(source)
}

func (k *Keeper) drop(source reports.Source) {
	delete(k.sources, source)
	k.seen.Delete(source)
}

// Reports is how many objects report.
func (k *Keeper) Reports() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.sources)
}

// attempts is how often a pass is tried when others move the branch.
const attempts = 5

// Pass brings the branch up to date.
func (k *Keeper) Pass(ctx context.Context) (out Outcome, err error) {
	for try := 1; ; try++ {
		at, err := k.repository.Open(ctx)
		if err != nil {
			return out, err
		}
		out, err = k.pass(ctx, at)
		var stale *gitrepo.StaleError
		var rejected *gitrepo.RejectedError
		if errors.As(err, &rejected) && !k.reopened { // it may be for something that the server has no more
			k.repository.Reopen()
			k.reopened = true
		}
		if !errors.As(err, &stale) || try == attempts {
			return out, err
		}
		if err := at.Repo.Refresh(ctx); err != nil {
			return out, err
		}
	}
}

func (k *Keeper) pass(ctx context.Context, at Opened) (out Outcome, err error) {
	source, err := k.source(at)
	if err != nil {
		return out, err
	}
	s, err := k.look(ctx, at.Repo, source)
	if err != nil {
		return out, err
	}
	out.Failed, out.Results = s.failed, s.results
	out.Commit, err = k.write(ctx, at, source, s)
	out.Grown = k.grown
	return out, err
}
