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
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// source is the package, as the main branch has it.
type source struct {
	branch string
	commit gitrepo.Hash
	dir    string
	id     gitrepo.Hash // of the directory
}

// source finds the package.
func (k *Keeper) source(at Opened) (s source, err error) {
	if err := k.options.checkBranch(at.Branch); err != nil {
		return s, err
	}
	s.branch, s.dir = at.Branch, strings.Trim(path.Join(at.Directory, k.options.Package), "/")
	ref, is := at.Repo.Ref("refs/heads/" + at.Branch)
	if !is {
		return s, &gitrepo.RefError{URL: at.Repo.URL(), Name: at.Branch}
	}
	s.commit = ref.Commit
	if s.id, err = at.Repo.DirID(s.commit, s.dir); err != nil {
		err = fmt.Errorf("repository %q: package %q: %w", at.Repo.URL(), k.options.Package, err)
	}
	return s, err
}

// checkBranch refuses branches that packages live on.
func (o Options) checkBranch(main string) error {
	if o.Branch == "HEAD" {
		return fmt.Errorf("branch %q would be taken for what is checked out; choose another name", o.Branch)
	}
	if o.Branch == main || revision.KeepsBranch(o.Branch) {
		return fmt.Errorf("branch %q is for packages; name another for what clusters report", o.Branch)
	}
	return nil
}

// look combines what the package asks for, unless that was done.
func (k *Keeper) look(ctx context.Context, repo *gitrepo.Repo, from source) (*surveyed, error) {
	if k.held.items == nil || k.held.dir != from.id {
		items, err := read(repo, from)
		if err != nil {
			return nil, err
		}
		k.held = reading{from.id, items}
	}
	k.mu.Lock() // the index must not change while it is read
	defer k.mu.Unlock()
	if s := k.survey; s != nil && s.dir == from.id && s.version == k.seen.Version() {
		return s, nil
	}
	made, err := combine.NewSurveyOf(ctx, k.held.items, k.seen, k.options.Survey)
	if err != nil {
		return nil, err
	}
	if made.Unbound {
		made.Results = append(made.Results, fn.NewResult(sdk.Warning, nil, nil,
			"there is no Binding in the package; results of earlier passes stay"))
	}
	s := &surveyed{dir: from.id, version: k.seen.Version(), failed: made.Failed() || made.Unbound,
		results: ordered(append(made.Results, made.Failures()...))}
	if s.files, err = render.Files(made.Generated()); err != nil {
		return nil, err
	}
	if s.report, err = reportOf(s.results); err != nil {
		return nil, err
	}
	k.survey = s
	return s, nil
}

// read reads the package, but for what combine-status makes of it, and the reports that lie in it.
func read(repo *gitrepo.Repo, from source) ([]*krm.Object, error) {
	tree, err := repo.Package(from.commit, from.dir)
	if err != nil {
		return nil, err
	}
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("repository %q: package %q at %s: %w", repo.URL(), from.dir, from.commit, err)
	}
	return slices.DeleteFunc(items, isOurs), nil
}

func isOurs(o *krm.Object) bool { return o.Annotation(fn.GeneratedBy) == combine.Name }

// ordered are results with the worst first, each once.
func ordered(results sdk.Results) sdk.Results {
	return slices.CompactFunc(fn.WorstFirst(results), func(a, b *sdk.Result) bool { return fn.FormatResult(a) == fn.FormatResult(b) })
}
