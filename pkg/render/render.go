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
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Options say how to render.
type Options struct {
	// Functions prepares the functions of the pipelines.
	Functions runner.Factory
	// Name is what the root package is called in messages; "" is the name in its Kptfile.
	Name string
	// Observe, when set, is told of every package and step as it happens.
	Observe func(Event)
	// Limits bound what is read, and so what is written.
	Limits krm.Limits
	// Timeout is the most time for all functions of a render together. Defaults to DefaultTimeout.
	Timeout time.Duration
	// Memory, when set, remembers renders that came out well. What it gives back has the same Tree and
	// Steps, but no Items.
	Memory Memory
	// Parsed, when set, keeps files that were parsed for renders to come. It serves renders with
	// default Limits.
	Parsed *krm.Parsed
	// Trace keeps what every step was given and gave in Result.Traces, and with that all the objects in memory
	// that there were on the way. What was traced is rendered anew: Memory is not asked.
	Trace bool
}

// Result is a rendered package.
type Result struct {
	// Tree is the whole package: rendered resources, and every other file as it was. With an error it
	// is empty, unless Partial.
	Tree pkgtree.Tree
	// Partial says that the render failed and Tree holds what it had done by then, because the root
	// Kptfile asks to keep that. No file is missing from it.
	Partial bool
	// Items are the rendered resources in list order, still with their orchestration annotations.
	Items []*krm.Object
	// Steps are the functions that ran, in order. They are also returned with an error.
	Steps []Step
	// Read are the resources as they were read, and Traces what happened to them, in the order of Steps; kept
	// for Options.Trace only.
	Read   []*krm.Object
	Traces []Trace
	// Packages counts the packages, the root included.
	Packages int
	// Recalled says that no function ran: Options.Memory had it all.
	Recalled bool
}

// Render renders the package that is the whole of tree. With an error the Result holds the steps
// that were reached.
func Render(ctx context.Context, tree pkgtree.Tree, opts Options) (*Result, error) {
	r := newRenderer(opts)
	root, packages, err := loadPackages(tree)
	if err != nil {
		return r.result, err
	}
	memory := r.remember(ctx, tree, root)
	if memory.recall(r, tree) {
		return r.result, nil
	}
	memory.listen(r)
	done, err := takeTurn(ctx, tree)
	if err != nil {
		return r.result, err
	}
	defer done()
	if err := readResources(tree, packages, opts); err != nil {
		return r.result, err
	}
	if opts.Name != "" {
		root.setNames(opts.Name)
	}
	r.result.Packages = root.count()
	read := root.everything()
	before, late, emptied := originsOf(read), lateOf(read), root.emptied(read)
	if opts.Trace {
		r.result.Read = read
	}
	r.saves = root.asks(kptfilev1.SaveOnRenderFailureAnnotation)
	order := r.depthFirst
	if root.asks(kptfilev1.BFSRenderAnnotation) {
		order = r.topDown
	}
	ctx, cancel := opts.deadline(ctx)
	defer cancel()
	items, err := order(ctx, root)
	err = outOfTime(ctx, err)
	if broken := late.check(items); broken != nil {
		return r.result, broken
	}
	if err != nil {
		return r.result, errors.Join(err, r.keepPartial(tree, root, before))
	}
	if err := emptied.check(items); err != nil {
		return r.result, err
	}
	out, err := writeBack(tree, before, items, opts.Limits)
	if err != nil {
		return r.result, err
	}
	r.result.Tree, r.result.Items = out, items
	memory.keep(tree, r.result)
	return r.result, nil
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
	opts   Options
	slots  chan struct{} // one for each function that may run at the same time
	saves  bool          // what is done by then counts when the render fails
	result *Result
}

func newRenderer(opts Options) *renderer {
	return &renderer{opts: opts, slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), result: &Result{}}
}

// depthFirst returns what p's pipeline makes of p and its rendered subpackages.
func (r *renderer) depthFirst(ctx context.Context, p *pkg) ([]*krm.Object, error) {
	below, err := r.siblings(ctx, p.subs)
	if err != nil {
		return nil, err
	}
	items := slices.Concat(p.items, below)
	if !r.saves {
		p.items = nil // once a function has changed them, nobody needs what was read
	}
	return r.pipeline(ctx, p, items)
}

// pipeline returns what p's own pipeline makes of items.
func (r *renderer) pipeline(ctx context.Context, p *pkg, items []*krm.Object) ([]*krm.Object, error) {
	r.stand(p, items)
	r.observe(Event{Package: p.name})
	pipeline := p.kptfile.Spec.Pipeline
	if pipeline.IsEmpty() { // else each function checks what it is given, as in kpt
		if err := checkKRM("input", items); err != nil {
			return nil, &Error{Package: p.name, Err: err}
		}
		return items, nil
	}
	items, err := r.mutate(ctx, p, pipeline.Mutators, items)
	if err != nil {
		return nil, err
	}
	return items, r.validate(ctx, p, pipeline.Validators, items)
}

// mutate runs the mutators in turn. All are prepared before the first one runs.
func (r *renderer) mutate(ctx context.Context, p *pkg, fns []kptfilev1.Function, items []*krm.Object) ([]*krm.Object, error) {
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
		r.stand(p, items)
	}
	return items, nil
}

// validate runs the validators, each on the same items, and drops what they return. Items are
// never changed in place, so no copy is needed to keep a validator from changing them.
func (r *renderer) validate(ctx context.Context, p *pkg, fns []kptfilev1.Function, items []*krm.Object) error {
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

// asFailure finds how a function failed, nil when err is something else.
func asFailure(err error) *runner.Failure {
	var f *runner.Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}
