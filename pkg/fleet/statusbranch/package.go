package statusbranch

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/render/report"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// location is a package on the main branch.
type location struct {
	branch string
	commit gitrepo.Hash
	dir    string
	id     gitrepo.Hash // of the directory
}

// combined is the result for a package and a version of the reports.
type combined struct {
	dir     gitrepo.Hash // of the package
	version int          // of the reports
	failed  bool
	files   pkgtree.Tree // without reportFile
	results sdk.Results  // worst first, without duplicates
	report  []byte       // the content of reportFile; nil for none
}

func (p *Publisher) findPackage(opened Opened) (at location, err error) {
	if err := p.options.checkBranch(opened.Branch); err != nil {
		return at, err
	}
	at.branch, at.dir = opened.Branch, strings.Trim(path.Join(opened.Directory, p.options.Package), "/")
	ref, is := opened.Repo.Ref("refs/heads/" + opened.Branch)
	if !is {
		return at, &gitrepo.RefError{URL: opened.Repo.URL(), Name: opened.Branch}
	}
	at.commit = ref.Commit
	if at.id, err = opened.Repo.DirID(at.commit, at.dir); err != nil {
		err = fmt.Errorf("repository %q: package %q: %w", opened.Repo.URL(), p.options.Package, err)
	}
	return at, err
}

// checkBranch refuses the branches of packages.
func (o Options) checkBranch(main string) error {
	if o.Branch == "HEAD" {
		return fmt.Errorf("branch %q has the name of the checked-out commit; choose another name", o.Branch)
	}
	if o.Branch == main || revision.KeepsBranch(o.Branch) {
		return fmt.Errorf("branch %q is for packages; choose another for the results", o.Branch)
	}
	return nil
}

// combine combines the reports as the package requests, unless neither the package nor a report has changed.
func (p *Publisher) combine(ctx context.Context, repo *gitrepo.Repo, from location) (*combined, error) {
	if p.items == nil || p.itemsDir != from.id {
		items, err := readPackage(repo, from)
		if err != nil {
			return nil, err
		}
		p.items, p.itemsDir = items, from.id
	}
	p.mu.Lock() // the reports must not change meanwhile
	defer p.mu.Unlock()
	if c := p.combined; c != nil && c.dir == from.id && c.version == p.reports.Version() {
		return c, nil
	}
	summary, err := combine.NewSummaryOf(ctx, p.items, p.reports, p.options.Combine)
	if err != nil {
		return nil, err
	}
	if summary.Unbound {
		summary.Results = append(summary.Results, fn.NewResult(sdk.Warning, nil, nil,
			"there is no Binding in the package; results of earlier passes stay"))
	}
	c := &combined{dir: from.id, version: p.reports.Version(), failed: summary.Failed() || summary.Unbound}
	c.results = slices.CompactFunc(fn.WorstFirst(append(summary.Results, summary.Failures()...)),
		func(a, b *sdk.Result) bool { return fn.FormatResult(a) == fn.FormatResult(b) })
	if c.files, err = render.Files(summary.Generated()); err != nil {
		return nil, err
	}
	if c.report, err = formatReport(c.results); err != nil {
		return nil, err
	}
	p.combined = c
	return c, nil
}

// readPackage reads the package, without objects that combine-status generated.
func readPackage(repo *gitrepo.Repo, from location) ([]*krm.Object, error) {
	tree, err := repo.Package(from.commit, from.dir)
	if err != nil {
		return nil, err
	}
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("repository %q: package %q at %s: %w", repo.URL(), from.dir, from.commit, err)
	}
	return slices.DeleteFunc(items, isGenerated), nil
}

func isGenerated(o *krm.Object) bool { return o.Annotation(fn.GeneratedBy) == combine.Name }

// reportFile holds errors and warnings, as kpt writes results of functions. No policy can have that name.
const reportFile = "_results.yaml"

// maxReported is how many results reportFile has.
const maxReported = 1000

// formatReport returns the content of reportFile; nil when there is no result.
func formatReport(results sdk.Results) ([]byte, error) {
	if len(results) == 0 {
		return nil, nil
	}
	step := render.Step{Image: combine.Name, Results: results}
	if n := len(results) - maxReported; n > 0 {
		more := fn.NewResult(sdk.Info, nil, nil, "and %d more", n)
		step.Results = append(results[:maxReported:maxReported], more)
	}
	failed := (&fn.Output{Results: results}).Failed()
	if failed {
		step.ExitCode = 1
	}
	return report.ResultsFile([]render.Step{step}, failed)
}
