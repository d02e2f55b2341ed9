package render

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Options say how to render.
type Options struct {
	// Functions prepares the functions of the pipelines.
	Functions runner.Factory
	// Name is the name of the root package in messages; "" means the name in its Kptfile.
	Name string
	// Observe, when set, is called for every package and step as it happens.
	Observe func(Event)
	// Limits bound what is read, and so what is written.
	Limits krm.Limits
	// Timeout bounds the time for all functions of a render together. Defaults to DefaultTimeout.
	Timeout time.Duration
	// Cache, when set, keeps successful renders. A Result from it has the same Tree and Steps, but no Items.
	Cache Cache
	// Parsed, when set, keeps parsed files for later renders. It serves renders with
	// default Limits.
	Parsed *krm.Parsed
	// InPlace says that the caller does not use Result.Items. They are empty then, and a package without functions is read file
	// by file.
	InPlace bool
	// Trace keeps the input and output of every step in Result.Traces, and so keeps all intermediate objects
	// in memory. A render with Trace does not use Cache.
	Trace bool
}

// Result is a rendered package.
type Result struct {
	// Tree is the whole package: rendered resources, and every other file as it was. With an error it
	// is empty, unless Partial.
	Tree pkgtree.Tree
	// Partial says that the render failed and Tree holds what it did before the failure, because the root
	// Kptfile asks to keep that. No file is missing from it.
	Partial bool
	// Items are the rendered resources in list order, still with their orchestration annotations.
	Items []*krm.Object
	// Steps are the functions that ran, in order. They are also returned with an error.
	Steps []Step
	// Read are the resources as they were read, and Traces what each of Steps did to them; only with Options.Trace.
	Read   []*krm.Object
	Traces []Trace
	// Packages counts the packages, the root included.
	Packages int
	// Cached says that no function ran: the result comes from Options.Cache.
	Cached bool
}

// Render renders the package that tree is. With an error the Result holds the steps
// that were reached.
func Render(ctx context.Context, tree pkgtree.Tree, opts Options) (*Result, error) {
	r := newRenderer(opts)
	root, packages, err := load.Packages(tree)
	if err != nil {
		return r.result, err
	}
	entry := r.cacheEntry(ctx, tree, root)
	if entry.restore(r, tree) {
		return r.result, nil
	}
	entry.observe(r)
	release, err := load.Acquire(ctx, tree)
	if err != nil {
		return r.result, err
	}
	defer release()
	if err := load.Resources(tree, packages, r.reading(root)); err != nil {
		return r.result, err
	}
	if opts.Name != "" {
		root.SetNames(opts.Name)
	}
	if err := r.render(ctx, tree, root); err != nil {
		return r.result, err
	}
	entry.store(tree, r.result)
	return r.result, nil
}

// reading says how the files of root and the packages below are read.
func (r *renderer) reading(root *load.Package) load.Options {
	functions := slices.ContainsFunc(root.All(), func(p *load.Package) bool { return len(p.Functions()) > 0 })
	return load.Options{Limits: r.opts.Limits, Parsed: r.opts.Parsed, HeadsOnly: r.opts.InPlace && !functions && !r.opts.Trace}
}

// render runs the pipelines of root, which was just read, and writes what they return to the result.
func (r *renderer) render(ctx context.Context, tree pkgtree.Tree, root *load.Package) error {
	r.result.Packages = len(root.All())
	read := root.AllItems()
	before, lazy, emptied := originsOf(read), load.LazyIn(read), emptiedOf(root, read)
	r.contents = contents{tree, before}
	if r.opts.Trace {
		r.result.Read = read
	}
	r.savesOnFailure = enabled(root, kptfilev1.SaveOnRenderFailureAnnotation)
	order := r.depthFirst
	if enabled(root, kptfilev1.BFSRenderAnnotation) {
		order = r.topDown
	}
	ctx, cancel := r.opts.deadline(ctx)
	defer cancel()
	items, err := order(ctx, root)
	err = timeout(ctx, err)
	if invalid := lazy.Check(items); invalid != nil {
		return invalid
	}
	if err != nil {
		return errors.Join(err, r.keepPartial(tree, root, before))
	}
	if err := emptied.check(items); err != nil {
		return err
	}
	out, err := writeBack(tree, before, items, r.opts.Limits)
	if err == nil {
		r.result.Tree = out
	}
	if err == nil && !r.opts.InPlace {
		r.result.Items = items
	}
	return err
}

// Error says where in a package a render failed.
type Error struct {
	Package  string // display name
	Function string // name, image or exec; "" when no function is to blame
	Step     int    // one-based place in its list
	Err      error
}

func (e *Error) Error() string {
	if e.Function == "" {
		return fmt.Sprintf("render package %q: %v", e.Package, e.Err)
	}
	return fmt.Sprintf("render package %q: function %q (step %d): %v", e.Package, e.Function, e.Step, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

type renderer struct {
	opts           Options
	slots          chan struct{} // one for each function that may run at the same time
	savesOnFailure bool          // the root Kptfile asks to keep what was done before a failure
	contents       contents
	result         *Result
}

func newRenderer(opts Options) *renderer {
	return &renderer{opts: opts, slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), result: &Result{}}
}

// depthFirst renders p's subpackages, then runs p's pipeline over all of their resources.
func (r *renderer) depthFirst(ctx context.Context, p *load.Package) ([]*krm.Object, error) {
	below, err := r.siblings(ctx, p.Subs)
	if err != nil {
		return nil, err
	}
	items := slices.Concat(p.Items, below)
	if !r.savesOnFailure {
		p.Items = nil // frees the memory of objects that functions replace
	}
	return r.pipeline(ctx, p, items)
}

// pipeline runs p's own pipeline over items.
func (r *renderer) pipeline(ctx context.Context, p *load.Package, items []*krm.Object) ([]*krm.Object, error) {
	r.setCurrent(p, items)
	r.observe(Event{Package: p.Name})
	pipeline := p.Kptfile.Spec.Pipeline
	if pipeline.IsEmpty() { // else each function checks its input, as in kpt
		if err := checkKRM("input", items); err != nil {
			return nil, &Error{Package: p.Name, Err: err}
		}
		return items, nil
	}
	items, err := r.mutate(ctx, p, pipeline.Mutators, items)
	if err != nil {
		return nil, err
	}
	return items, r.validate(ctx, p, pipeline.Validators, items)
}

// mutate runs the mutators one after another. All are prepared before the first one runs.
func (r *renderer) mutate(ctx context.Context, p *load.Package, fns []kptfilev1.Function, items []*krm.Object) ([]*krm.Object, error) {
	var steps []*step
	for i := range fns {
		s, err := r.prepare(ctx, p, &fns[i], i, items)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	for _, s := range steps {
		out, err := r.run(ctx, p, s, items)
		if err != nil {
			return nil, err
		}
		items = out
		r.setCurrent(p, items)
	}
	return items, nil
}

// validate runs the validators, each on the same items, and drops what they return. Items are
// never changed in place, so no copy is needed to keep a validator from changing them.
func (r *renderer) validate(ctx context.Context, p *load.Package, fns []kptfilev1.Function, items []*krm.Object) error {
	for i := range fns {
		s, err := r.prepare(ctx, p, &fns[i], i, items)
		if err != nil {
			return err
		}
		s.validator = true
		if _, err := r.run(ctx, p, s, items); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) observe(e Event) {
	if r.opts.Observe != nil {
		r.opts.Observe(e)
	}
}

// asFailure is the failure of a function that err wraps, nil when it wraps none.
func asFailure(err error) *runner.Failure {
	var f *runner.Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// Reads reports whether Render and Eval read files of that name, in any folder. The other files
// may be left out of the Tree: they stay as they are.
func Reads(name string) bool { return name == load.IgnoreFile || load.IsResourceFile(name) }

// InputFiles selects the files that Render and Eval read, and refuses symbolic links in their place.
var InputFiles = pkgtree.Limits{Only: Reads, MayLink: load.MayLink}
