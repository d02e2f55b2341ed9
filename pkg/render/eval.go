package render

import (
	"context"
	"fmt"
	"path"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Evaluation is one function to run outside of any pipeline.
type Evaluation struct {
	Function kptfilev1.Function // image or exec, selectors and exclusions; its config fields are ignored
	Config   *krm.Object        // the function's config; nil for none
}

// Eval runs one function over the resources in tree, which need not be a package. Pipelines do not
// run, and a subpackage is a folder like any other: the path of each resource counts from the root,
// and resources come in the order of a directory walk. The function may return what a mutator may return in Render,
// and unchanged files keep their bytes as they do there. With an error the Result holds the step if it was reached.
func Eval(ctx context.Context, tree pkgtree.Tree, e Evaluation, opts Options) (*Result, error) {
	r := newRenderer(opts)
	p, err := load.Folder(tree, opts.Limits)
	if err != nil {
		return r.result, err
	}
	before := originsOf(p.Items)
	r.contents = contents{tree, before}
	items, err := r.evaluate(ctx, p, e, false)
	if invalid := load.LazyIn(p.Items).Check(items); invalid != nil {
		return r.result, invalid
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

// ReadFolder reads the resources in tree as Eval does, and parses all of them to the end.
func ReadFolder(tree pkgtree.Tree, limits krm.Limits) ([]*krm.Object, error) {
	p, err := load.Folder(tree, limits)
	if err != nil {
		return nil, err
	}
	return p.Items, load.LazyIn(p.Items).Check(p.Items)
}

// Eval runs one function over the stream. The function may return no item: there is no package that this would delete.
// Result.Tree stays empty: see Files.
func (s *Stream) Eval(ctx context.Context, e Evaluation, opts Options) (*Result, error) {
	r, p := newRenderer(opts), &load.Package{Dir: ".", Items: s.Items}
	for _, o := range s.Items {
		if !runner.PairsAgree(o) {
			return r.result, fmt.Errorf("%s: the two spellings of its path or index annotation have different values; "+
				"make them equal, or remove one", o.Describe())
		}
	}
	items, err := r.evaluate(ctx, p, e, true)
	if err == nil {
		r.result.Items = items
	}
	return r.result, err
}

// Files are the files that items, as a Result holds them, are written to.
func Files(items []*krm.Object) (pkgtree.Tree, error) {
	return writeBack(pkgtree.Tree{}, nil, items, krm.Limits{})
}

// evaluate runs one function over the items of p.
func (r *renderer) evaluate(ctx context.Context, p *load.Package, e Evaluation, allowEmpty bool) ([]*krm.Object, error) {
	f := e.Function
	f.ConfigPath, f.ConfigMap = "", nil
	run, err := r.opts.Functions.Prepare(ctx, &f)
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", title(&f), err)
	}
	r.result.Packages = 1
	s := &step{function: &f, runner: run, config: e.Config, allowEmpty: allowEmpty}
	items, err := r.run(ctx, p, s, p.Items)
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", title(&f), r.result.Steps[0].Err)
	}
	return items, nil
}

// MakeConfig makes the config of a function from values: an object of version v1 and the
// given kind, usually ConfigMap, that has the values under data by name.
func MakeConfig(kind string, values map[string]string) (*krm.Object, error) {
	data, err := krm.NodeOf(values)
	if err != nil {
		return nil, err
	}
	return krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("v1"),
		krm.StringNode("kind"), krm.StringNode(kind),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode("function-input")),
		krm.StringNode("data"), data,
	)), nil
}

// ReadConfig reads the config of a function from the text of a file, which holds one object.
func ReadConfig(file string, text []byte) (*krm.Object, error) {
	objs, err := krm.Read(file, text, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("functionConfig: %w", err)
	}
	switch {
	case len(objs) == 0:
		return nil, fmt.Errorf("functionConfig %q holds no object", file)
	case len(objs) > 1:
		return nil, fmt.Errorf("functionConfig %q must not contain more than one config, got %d", file, len(objs))
	}
	if missing := notKRM(objs[0]); missing != "" {
		return nil, fmt.Errorf("functionConfig %q: resource must have %s", file, missing)
	}
	return objs[0], nil
}
