package render

import (
	"context"
	"fmt"
	"path"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Evaluation is one function to run outside of any pipeline.
type Evaluation struct {
	Function kptfilev1.Function // image or exec, selectors and exclusions; config fields do not count
	Config   *krm.Object        // what configures it, nil for nothing
}

// Eval runs one function over the resources in tree, which need not be a package. Pipelines do not
// run, and a subpackage is a folder like any other: each resource is filed at its path from the root,
// in the order of a directory walk. What the function may return is what a mutator may in Render,
// and files keep their bytes as there. With an error the Result holds the step, if it came to that.
func Eval(ctx context.Context, tree pkgtree.Tree, e Evaluation, opts Options) (*Result, error) {
	r, p := newRenderer(opts), &pkg{dir: "."}
	if err := p.readFolder(tree, opts.Limits); err != nil {
		return r.result, err
	}
	before := originsOf(p.items)
	items, err := r.evaluate(ctx, p, e, false)
	if broken := lateOf(p.items).check(items); broken != nil {
		return r.result, broken
	}
	if err != nil {
		return r.result, err
	}
	for _, o := range items {
		if at := o.Annotation(krm.PathAnnotation); path.IsAbs(at) {
			return r.result, fmt.Errorf("%s: package paths may not be absolute paths, got %q", o.Describe(), at)
		}
	}
	r.result.Tree, err = writeBack(tree, before, items, opts.Limits)
	r.result.Items = items
	return r.result, err
}

// Eval runs one function over the stream. There is no package to lose, so it may return nothing for
// something. Result.Tree stays empty: see Files.
func (s *Stream) Eval(ctx context.Context, e Evaluation, opts Options) (*Result, error) {
	r, p := newRenderer(opts), &pkg{dir: ".", items: s.Items}
	items, err := r.evaluate(ctx, p, e, true)
	if err == nil {
		r.result.Items = items
	}
	return r.result, err
}

// Files is the files that items, as a Result holds them, are written to, and nothing else.
func Files(items []*krm.Object) (pkgtree.Tree, error) {
	return writeBack(pkgtree.Tree{}, nil, items, krm.Limits{})
}

// evaluate runs one function over the items of p.
func (r *renderer) evaluate(ctx context.Context, p *pkg, e Evaluation, mayEmpty bool) ([]*krm.Object, error) {
	f := e.Function
	f.ConfigPath, f.ConfigMap = "", nil
	run, err := r.opts.Functions.Prepare(ctx, &f)
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", title(&f), err)
	}
	r.result.Packages = 1
	s := &step{function: &f, runner: run, config: e.Config, mayEmpty: mayEmpty}
	items, err := r.run(ctx, p, s, p.items)
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", title(&f), r.result.Steps[0].Err)
	}
	return items, nil
}
