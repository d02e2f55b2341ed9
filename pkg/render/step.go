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
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Event is one thing that happens while rendering.
type Event struct {
	Package string // display name
	Step    *Step  // nil when the package's turn begins
	Done    bool   // the step has ended; else it begins
}

// Step is one run of one function.
type Step struct {
	Package   string
	Name      string // from the Kptfile; may be empty
	Image     string // one of Image and Exec is set, as the Kptfile has it
	Exec      string
	Runner    string // how it ran: "in-process", "exec", or the engine
	Validator bool
	Selected  int           // items it was given; -1 when it has no selectors and gets them all
	Took      time.Duration // for people: the one thing here that no two runs have in common
	Results   sdk.Results
	Stderr    string
	ExitCode  int
	Err       error // nil when it passed
	Outside   bool  // it called other functions; see runner.Output
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
	config    *krm.Object // what an evaluation brings along; a pipeline's comes from its Kptfile
	mayEmpty  bool        // the items come from no package that could be deleted
}

func (r *renderer) prepare(ctx context.Context, p *pkg, f *kptfilev1.Function, i int, items []*krm.Object) (*step, error) {
	fail := func(err error) error {
		return &Error{Package: p.name, Function: title(f), Step: i + 1, Err: err}
	}
	run, err := r.opts.Functions.Prepare(ctx, f)
	if err != nil {
		return nil, fail(err)
	}
	if f.ConfigPath != "" && p.config(f.ConfigPath, items) == nil {
		kind := "mutator"
		if list := p.kptfile.Spec.Pipeline.Validators; i < len(list) && f == &list[i] {
			kind = "validator"
		}
		return nil, fail(fmt.Errorf("functionConfig resource for %s %q is missing from path %q, "+
			"this also occurs if %[3]q is part of a subpackage", kind, cmp.Or(f.Name, title(f)), f.ConfigPath))
	}
	if f.ConfigPath != "" {
		if n := len(p.configs[path.Clean(f.ConfigPath)]); n > 1 {
			return nil, fail(fmt.Errorf("functionConfig %q must not contain more than one config, got %d", f.ConfigPath, n))
		}
	}
	return &step{function: f, runner: run, index: i}, nil
}

func title(f *kptfilev1.Function) string {
	if f.Image != "" {
		return f.Image
	}
	return f.Exec
}

// config returns the object at configPath as it stands now; as it was read, if an earlier function
// deleted it; nil if there never was one.
func (p *pkg) config(configPath string, items []*krm.Object) *krm.Object {
	for _, o := range items {
		if o.Annotation(krm.PackagePathAnnotation) == p.identity() && path.Clean(o.File()) == path.Clean(configPath) {
			return o
		}
	}
	if read := p.configs[path.Clean(configPath)]; len(read) > 0 {
		return read[0]
	}
	return nil
}

// functionConfig is what the function is configured with: a ConfigMap made of configMap, the
// object at configPath, or nothing.
func (p *pkg) functionConfig(f *kptfilev1.Function, items []*krm.Object) (*krm.Object, error) {
	switch {
	case f.ConfigPath != "":
		return p.config(f.ConfigPath, items), nil
	case len(f.ConfigMap) == 0:
		return nil, nil
	}
	return MakeConfig("ConfigMap", f.ConfigMap)
}

// run runs one step over items and records it.
func (r *renderer) run(ctx context.Context, p *pkg, s *step, items []*krm.Object) ([]*krm.Object, error) {
	f := s.function
	rec := Step{Package: p.name, Name: f.Name, Image: f.Image, Exec: f.Exec, Runner: s.runner.Kind(),
		Validator: s.validator, Selected: -1}
	scope := selectItems(f, items)
	if scope.limited {
		rec.Selected = len(scope.in)
	}
	r.observe(Event{Package: p.name, Step: &rec})
	r.slots <- struct{}{}
	began := time.Now()
	out, err := []*krm.Object(nil), ctx.Err()
	if err == nil {
		out, err = s.call(ctx, p, scope, &rec)
	}
	rec.Took = time.Since(began)
	<-r.slots
	if err != nil {
		rec.Err = err
		err = &Error{Package: p.name, Function: title(f), Step: s.index + 1, Err: err}
	}
	r.result.Steps = append(r.result.Steps, rec)
	r.trace(p, s, scope, out)
	r.observe(Event{Package: p.name, Step: &rec, Done: true})
	return out, err
}

func (s *step) call(ctx context.Context, p *pkg, scope scope, rec *Step) ([]*krm.Object, error) {
	if err := checkKRM("input", scope.in); err != nil { // what its selectors leave out does not count
		return nil, err
	}
	config, err := p.functionConfig(s.function, scope.all)
	if err != nil {
		return nil, err
	}
	if s.config != nil {
		config = s.config
	}
	out, err := s.runner.Run(ctx, &fn.Input{Items: scope.in, Config: config})
	if f := asFailure(err); f != nil {
		rec.Results, rec.Stderr, rec.ExitCode = f.Results, f.Stderr, f.ExitCode
	}
	var silent *runner.SilentError
	if s.validator && errors.As(err, &silent) { // "grep -q" is a validator, as in kpt
		rec.Stderr = silent.Stderr
		return scope.all, nil
	}
	if err != nil {
		return nil, err
	}
	rec.Results, rec.Stderr, rec.Outside = out.Results, out.Stderr, out.Outside
	if len(out.Items) == 0 && len(scope.in) > 0 && !scope.limited && !s.validator && !s.mayEmpty {
		return nil, errors.New("it was given resources and returned none, which would delete the package; refused")
	}
	back := p.adopt(out.Items, scope.in, config)
	if err := p.checkOutput(back); err != nil {
		return nil, err
	}
	if s.validator { // what it returns has to be sound, as in kpt, and is dropped
		return scope.all, nil
	}
	return scope.merge(back), nil
}
