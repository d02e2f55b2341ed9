package statusbranch

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

// Options configure a Publisher. A zero field gets the value that its comment names.
type Options struct {
	// Package is the directory of the package, below that of the repository; "" is all of it.
	Package string
	// Branch is the branch with the results: status.
	Branch string
	// MaxCommits is the most commits that the branch keeps: 1000.
	MaxCommits int
	// MaxBytes is the most bytes that it keeps; all of them are in memory: 64 MiB.
	MaxBytes int64
	// Combine says how reports are combined, and by its WDSName which of them count.
	Combine combine.Options
	// Now is the clock of commits: time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Package = strings.Trim(path.Clean("/"+o.Package), "/")
	o.Branch = cmp.Or(o.Branch, "status")
	o.MaxCommits = cmp.Or(o.MaxCommits, 1000)
	o.MaxBytes = cmp.Or(o.MaxBytes, 64<<20)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Check reports names that are not valid.
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

// Opened is a repository, and what its Repository object says.
type Opened struct {
	Repo *gitrepo.Repo
	// Branch is the main branch, and Directory where its packages are.
	Branch, Directory string
	// Author and Email are those of commits; "" for both is the controller.
	Author, Email string
}

// Repository opens a repository.
type Repository interface {
	// Open returns the repository, with refs that are fresh enough.
	Open(ctx context.Context) (Opened, error)
	// Reopen has the next Open start with nothing in memory.
	Reopen()
}

// Publisher publishes the results of one package on one branch. Put, Delete and Reports may be called at any
// time, Publish by one goroutine.
type Publisher struct {
	repository Repository
	options    Options

	mu      sync.Mutex // of the reports
	reports *reports.Index
	sources map[reports.Source]struct{}

	items     []*krm.Object // of the package
	itemsDir  gitrepo.Hash  // the directory that they were read from
	combined  *combined     // the last results
	published published
	size      branchSize
	appendURL string // of the repository whose server refuses to restart the branch
	overLimit bool   // the branch is full, and cannot restart
	reopened  bool   // since the last commit
}

// Result is what a Publish did.
type Result struct {
	// Commit is zero when there was nothing to commit.
	Commit gitrepo.Hash
	// Failed says that the package has an error, so that the results stay as they were.
	Failed bool
	// Results are errors and warnings, worst first.
	Results sdk.Results
	// OverLimit says that the branch holds more than Options allow, and cannot restart.
	OverLimit bool
}

// New returns a Publisher without reports.
func New(r Repository, o Options) *Publisher {
	o = o.withDefaults()
	return &Publisher{repository: r, options: o, reports: reports.New(o.Combine.WDSName), sources: map[reports.Source]struct{}{}}
}

// Put adds or replaces a WorkStatus or a ManifestWork. If it cannot be read, it no longer reports anything.
func (p *Publisher) Put(source reports.Source, obj map[string]any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.reports.Put(obj); err != nil {
		p.delete(source)
		return err
	}
	p.sources[source] = struct{}{}
	return nil
}

// Delete removes what a source reported.
func (p *Publisher) Delete(source reports.Source) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delete(source)
}

func (p *Publisher) delete(source reports.Source) {
	delete(p.sources, source)
	p.reports.Delete(source)
}

// Reports is how many WorkStatuses and ManifestWorks there are.
func (p *Publisher) Reports() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sources)
}

// maxAttempts is how often Publish tries while other clients move the branch.
const maxAttempts = 5

// Publish brings the branch up to date.
func (p *Publisher) Publish(ctx context.Context) (out Result, err error) {
	for attempt := 1; ; attempt++ {
		opened, err := p.repository.Open(ctx)
		if err != nil {
			return out, err
		}
		out, err = p.publishOnce(ctx, opened)
		var stale *gitrepo.StaleError
		var rejected *gitrepo.RejectedError
		if errors.As(err, &rejected) && !p.reopened { // the push may build on objects that the server has lost
			p.repository.Reopen()
			p.reopened = true
		}
		if !errors.As(err, &stale) || attempt == maxAttempts {
			return out, err
		}
		if err := opened.Repo.Refresh(ctx); err != nil {
			return out, err
		}
	}
}

func (p *Publisher) publishOnce(ctx context.Context, opened Opened) (out Result, err error) {
	from, err := p.findPackage(opened)
	if err != nil {
		return out, err
	}
	c, err := p.combine(ctx, opened.Repo, from)
	if err != nil {
		return out, err
	}
	out.Failed, out.Results = c.failed, c.results
	out.Commit, err = p.commitChanges(ctx, opened, from, c)
	out.OverLimit = p.overLimit
	return out, err
}
