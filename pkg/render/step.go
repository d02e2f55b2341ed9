package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Event is one thing that happens while rendering.
type Event struct {
	Package string // display name
	Step    *Step  // nil when the pipeline of the package begins
	Done    bool   // the step has ended; else it begins
}

// Step is one run of one function.
type Step struct {
	Package   string
	Name      string // from the Kptfile; may be empty
	Image     string // as in the Kptfile; one of Image and Exec is set
	Exec      string
	Runner    string // how it ran: "in-process", "exec", or the engine
	Validator bool
	Selected  int           // number of items that it received; -1 when it has no selectors and receives all
	Took      time.Duration // for people: the only field that differs from run to run
	Results   sdk.Results
	Stderr    string
	ExitCode  int
	Err       error // nil when it passed
	Refused   bool  // it ran, and Err says why its output is refused
	Outside   bool  // it used data from outside of its input; see runner.Output
}

// Title is what the step is called in messages: image or exec line.
func (s *Step) Title() string {
	if s.Image != "" {
		return s.Image
	}
	return s.Exec
}

// step is a function that is ready to run.
type step struct {
	function  *kptfilev1.Function
	runner    runner.Runner
	index     int
	validator bool
	config    *krm.Object // of an Evaluation; nil in a pipeline, where the Kptfile says what it is
	// allowEmpty says that the function may return no item, because the items come from no package that this would delete.
	allowEmpty bool
}

func (r *renderer) prepare(ctx context.Context, p *load.Package, f *kptfilev1.Function, i int, items []*krm.Object) (*step, error) {
	fail := func(err error) error {
		return &Error{Package: p.Name, Function: title(f), Step: i + 1, Err: err}
	}
	run, err := r.opts.Functions.Prepare(ctx, f)
	if err != nil {
		return nil, fail(err)
	}
	if f.ConfigPath != "" {
		if err := checkConfig(p, f, i, items); err != nil {
			return nil, &Error{Package: p.Name, Err: err}
		}
	}
	return &step{function: f, runner: run, index: i}, nil
}

// checkConfig returns an *kptfile.InvalidError if the object at the configPath of function i cannot be its config.
func checkConfig(p *load.Package, f *kptfilev1.Function, i int, items []*krm.Object) error {
	kind := "mutator"
	if list := p.Kptfile.Spec.Pipeline.Validators; i < len(list) && f == &list[i] {
		kind = "validator"
	}
	var reason string
	switch read := p.Configs[path.Clean(f.ConfigPath)]; {
	case configAt(p, f.ConfigPath, items) == nil:
		reason = fmt.Sprintf("functionConfig resource for %s %q is missing from path %q, this also occurs if %[3]q is part of a subpackage",
			kind, cmp.Or(f.Name, title(f)), f.ConfigPath)
	case len(read) > 1:
		reason = fmt.Sprintf("functionConfig %q must not contain more than one config, got %d", f.ConfigPath, len(read))
	case len(read) == 1 && notKRM(read[0]) != "":
		reason = fmt.Sprintf("functionConfig %q: resource must have %s", f.ConfigPath, notKRM(read[0]))
	default:
		return nil
	}
	invalid := &kptfile.InvalidError{ValidateError: kptfilev1.ValidateError{
		Field: fmt.Sprintf("pipeline.%ss[%d].configPath", kind, i), Value: f.ConfigPath, Reason: reason}}
	return fmt.Errorf("%s: %w", path.Join(p.Dir, kptfile.Name), invalid)
}

func title(f *kptfilev1.Function) string {
	if f.Image != "" {
		return f.Image
	}
	return f.Exec
}

// configAt returns the object at configPath; if an earlier function deleted it, the object as it was read; nil if there was none.
func configAt(p *load.Package, configPath string, items []*krm.Object) *krm.Object {
	for _, o := range items {
		if o.Annotation(krm.PackagePathAnnotation) == p.Identity() && path.Clean(o.File()) == path.Clean(configPath) {
			return o
		}
	}
	if read := p.Configs[path.Clean(configPath)]; len(read) > 0 {
		return read[0]
	}
	return nil
}

// functionConfig is the config of the function: that of the Evaluation, the object at configPath, a ConfigMap made of configMap, or
// nil.
func (s *step) functionConfig(p *load.Package, items []*krm.Object) (*krm.Object, error) {
	f := s.function
	switch {
	case s.config != nil:
		return s.config, nil
	case f.ConfigPath != "":
		return configAt(p, f.ConfigPath, items), nil
	case len(f.ConfigMap) == 0:
		return nil, nil
	}
	return MakeConfig("ConfigMap", f.ConfigMap)
}

// run runs one step over items and records it.
func (r *renderer) run(ctx context.Context, p *load.Package, s *step, items []*krm.Object) ([]*krm.Object, error) {
	f := s.function
	rec := Step{Package: p.Name, Name: f.Name, Image: f.Image, Exec: f.Exec, Runner: s.runner.Kind(),
		Validator: s.validator, Selected: -1}
	scope := selectItems(f, items)
	if scope.limited {
		rec.Selected = len(scope.in)
	}
	r.observe(Event{Package: p.Name, Step: &rec})
	r.slots <- struct{}{}
	began := time.Now()
	out, err := []*krm.Object(nil), ctx.Err()
	if err == nil {
		out, err = s.call(ctx, r.contents, p, scope, &rec)
	}
	rec.Took = time.Since(began)
	<-r.slots
	if err != nil {
		rec.Err = err
		err = &Error{Package: p.Name, Function: title(f), Step: s.index + 1, Err: err}
	}
	r.result.Steps = append(r.result.Steps, rec)
	r.trace(p, s, scope, out)
	r.observe(Event{Package: p.Name, Step: &rec, Done: true})
	return out, err
}

// call runs the function over what its selectors match, and returns all items afterwards.
func (s *step) call(ctx context.Context, now contents, p *load.Package, scope scope, rec *Step) ([]*krm.Object, error) {
	if err := checkKRM("input", scope.in); err != nil { // only of the items that its selectors match
		return nil, err
	}
	config, err := s.functionConfig(p, scope.all)
	if err != nil {
		return nil, err
	}
	files, err := now.filesFor(s.runner, config, p, scope.all)
	if err != nil {
		return nil, err
	}
	out, err := s.runner.Run(ctx, &fn.Input{Items: scope.in, Config: config, Files: files})
	if f := asFailure(err); f != nil {
		rec.Results, rec.Stderr, rec.ExitCode = f.Results, f.Stderr, f.ExitCode
	}
	var silent *runner.SilentError
	if s.validator && errors.As(err, &silent) { // a validator may print nothing, like "grep -q" in kpt
		rec.Stderr = silent.Stderr
		return scope.all, nil
	}
	if err != nil {
		var refused *runner.OutputError
		rec.Refused = errors.As(err, &refused)
		return nil, err
	}
	rec.Results, rec.Stderr, rec.Outside = out.Results, out.Stderr, out.Outside
	all, err := s.accept(p, scope, out.Items, config)
	rec.Refused = err != nil
	return all, err
}

// accept returns all items after the function returned out, unless it must not return that.
func (s *step) accept(p *load.Package, scope scope, out []*krm.Object, config *krm.Object) ([]*krm.Object, error) {
	if len(out) == 0 && len(scope.in) > 0 && !scope.limited && !s.validator && !s.allowEmpty {
		return nil, errors.New("it received resources and returned none, which would delete the package; refused")
	}
	back := adopt(p, out, scope.in, config)
	if err := checkOutput(p, back); err != nil {
		return nil, err
	}
	if s.validator { // its output must be valid, as in kpt, and is dropped
		return scope.all, nil
	}
	return scope.merge(back), nil
}
