package branch

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

// packageObjects are the objects of the directory with an id.
type packageObjects struct {
	dir   gitrepo.Hash
	items []*krm.Object
}

// combined is what a package and reports come to.
type combined struct {
	dir     gitrepo.Hash // of the package
	version int          // of the reports
	failed  bool
	files   pkgtree.Tree // without reportFile
	results sdk.Results  // in order
	report  []byte       // of reportFile; nil for none
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
		return fmt.Errorf("branch %q would be taken for what is checked out; choose another name", o.Branch)
	}
	if o.Branch == main || revision.KeepsBranch(o.Branch) {
		return fmt.Errorf("branch %q is for packages; name another for what clusters report", o.Branch)
	}
	return nil
}

// combine makes the results that the package asks for, unless neither it nor a report has changed.
func (p *Publisher) combine(ctx context.Context, repo *gitrepo.Repo, from location) (*combined, error) {
	if p.pkg.items == nil || p.pkg.dir != from.id {
		items, err := readPackage(repo, from)
		if err != nil {
			return nil, err
		}
		p.pkg = packageObjects{from.id, items}
	}
	p.mu.Lock() // the reports must not change meanwhile
	defer p.mu.Unlock()
	if c := p.combined; c != nil && c.dir == from.id && c.version == p.reports.Version() {
		return c, nil
	}
	survey, err := combine.NewSurveyOf(ctx, p.pkg.items, p.reports, p.options.Survey)
	if err != nil {
		return nil, err
	}
	if survey.Unbound {
		survey.Results = append(survey.Results, fn.NewResult(sdk.Warning, nil, nil,
			"there is no Binding in the package; results of earlier passes stay"))
	}
	c := &combined{dir: from.id, version: p.reports.Version(), failed: survey.Failed() || survey.Unbound,
		results: sorted(append(survey.Results, survey.Failures()...))}
	if c.files, err = render.Files(survey.Generated()); err != nil {
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

// sorted returns results with the worst first, without duplicates.
func sorted(results sdk.Results) sdk.Results {
	return slices.CompactFunc(fn.WorstFirst(results), func(a, b *sdk.Result) bool { return fn.FormatResult(a) == fn.FormatResult(b) })
}

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
