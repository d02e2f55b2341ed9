package transform

import (
	"context"
	_ "embed" // for the README

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed custom-transform.md
var readme string

// configKind is of group fn.waybill.dev. The CustomTransforms that the function carries out are of
// another group.
const functionName, configKind = "custom-transform", "CustomTransform"

// Function is custom-transform.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run removes in place what the CustomTransforms among the items name. Objects that have nothing
// to remove are handed on as they are. What would make the next render differ from this one is an
// error, and so is every CustomTransform that cannot be read, whether anything uses it or not.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return &fn.Output{Items: in.Items, Results: otherFaults(in)}, err
	}
	t := newTransformer(in, opts)
	out := fn.NewOutput(in)
	for _, s := range t.subjects {
		if t.inScope(s) {
			out.Items[s.place] = t.transform(s)
		}
	}
	t.results = append(t.results, t.set.warnUnknown(t.kinds, t.subjects)...)
	t.reportHarm()
	out.Results = t.results
	return out, nil
}

// otherFaults is what is wrong with items besides a config that cannot be read, whatever the options
// will be: none of it goes away when the config is mended.
func otherFaults(in *fn.Input) (faults sdk.Results) {
	for _, r := range newTransformer(in, FunctionOptions{Scope: scopeBound, OnError: onErrorWarn}).results {
		if r.Severity == sdk.Error {
			faults = append(faults, r)
		}
	}
	return faults
}

// transformer holds what one run needs to know.
type transformer struct {
	opts     FunctionOptions
	config   *krm.Object
	kinds    *workload.Resources
	set      *Set
	bindings []*krm.Object
	subjects []*subject // in the order of workload.Compare
	readers  []reader
	harm     map[harm]*tally
	results  sdk.Results
}

func newTransformer(in *fn.Input, opts FunctionOptions) *transformer {
	t := &transformer{opts: opts, config: in.Config, harm: map[harm]*tally{}}
	kinds, errs, results := workload.NewBoundResources(in.Items, nil)
	t.kinds, t.results = kinds, results
	t.fault(nil, errs)
	parse := ParseSet
	if opts.OnError == onErrorWarn {
		parse = ParseSetLenient
	}
	t.set, results = parse(in.Items)
	t.results = append(t.results, results...)
	t.subjects = subjectsIn(t.kinds, in.Items)
	t.readBindings(in.Items)
	t.readPolicies(in.Items)
	return t
}

// transform is the object of s without what has to go: the very same when nothing has.
func (t *transformer) transform(s *subject) *krm.Object {
	removals := t.set.of(s.object.Group(), s.resource)
	e := &editor{o: s.object, borrowed: true}
	if t.opts.Clean {
		e.clean(Options{})
	}
	for _, r := range removals {
		e.removePath(r.path)
	}
	if e.changed {
		t.noteLabels(s, e.o, removals)
		t.noteNodePorts(s, e.o, removals)
		t.noteDefinition(s, e.o, removals)
	}
	if t.opts.Clean || len(removals) > 0 {
		t.warnJob(e.o)
	}
	return e.o
}

// warnJob warns of a Job that says it brings a selector and has none. It says so as long as that
// is true, not only in the run that took the selector away.
func (t *transformer) warnJob(o *krm.Object) {
	if isJob(o) && o.String("spec", "manualSelector") == "true" && o.Lookup("spec", "selector") == nil {
		t.report(sdk.Warning, o, field.NewPath("spec", "manualSelector"),
			"says that the Job brings its own selector, but spec.selector is removed before it ships: no cluster takes it so; remove manualSelector")
	}
}

func (t *transformer) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	t.results = append(t.results, fn.NewResult(sev, o, at, format, args...))
}

// fault reports every error of errs about o, at its own field.
func (t *transformer) fault(o *krm.Object, errs field.ErrorList) {
	for _, err := range errs {
		r := fn.NewResult(sdk.Error, o, nil, "%v", err)
		r.Field = &sdk.Field{Path: err.Field}
		t.results = append(t.results, r)
	}
}
