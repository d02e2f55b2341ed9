package transform

import (
	"context"
	_ "embed" // for the README
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed custom-transform.md
var readme string

// configKind has the group fn.waybill.dev. The CustomTransforms that the function applies have another
// group.
const functionName, configKind = "custom-transform", "CustomTransform"

// Function is custom-transform.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run removes in place what the CustomTransforms among the items name. Objects that have nothing
// to remove do not change. A removal that would change the next render is an error, and so is every
// CustomTransform that cannot be read, also if no object uses it.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return &fn.Output{Items: in.Items, Results: otherErrors(in)}, err
	}
	t := newTransformer(in, opts)
	out := fn.NewOutput(in)
	for _, s := range t.subjects {
		if t.inScope(s) {
			out.Items[s.index] = t.transform(s)
		}
	}
	t.add(t.set.warnUnknown(t.kinds, t.subjects))
	t.reportSideEffects()
	out.Results = t.results
	return out, nil
}

// otherErrors are the errors in the items that do not depend on the options: the user still has them after a correction of the config.
func otherErrors(in *fn.Input) sdk.Results {
	t := newTransformer(in, FunctionOptions{Scope: scopeBound, OnError: onErrorWarn})
	return slices.DeleteFunc(t.results, func(r *sdk.Result) bool { return r.Severity != sdk.Error })
}

// transformer is the state of one run.
type transformer struct {
	opts     FunctionOptions
	config   *krm.Object
	kinds    *workload.Resources
	set      *Set
	bindings []*krm.Object
	subjects []*subject // in the order of workload.Compare
	readers  []labelReader
	effects  map[sideEffect]*affected
	results  sdk.Results
}

func newTransformer(in *fn.Input, opts FunctionOptions) *transformer {
	t := &transformer{opts: opts, config: in.Config, effects: map[sideEffect]*affected{}}
	kinds, errs, results := workload.NewBoundResources(in.Items, nil)
	t.kinds, t.results = kinds, results
	t.add(fn.FieldErrors(nil, errs))
	parse := ParseSet
	if opts.OnError == onErrorWarn {
		parse = ParseSetLenient
	}
	t.set, results = parse(in.Items)
	t.add(results)
	t.subjects = subjectsIn(t.kinds, in.Items)
	t.readBindings(in.Items)
	t.readPolicies(in.Items)
	return t
}

// transform is the object of s without the removed fields; the same object if there are none.
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
		t.addLabels(s, e.o, removals)
		t.addNodePorts(s, e.o, removals)
		t.addDefinition(s, e.o, removals)
	}
	if t.opts.Clean || len(removals) > 0 {
		t.warnJob(e.o)
	}
	return e.o
}

// warnJob warns of a Job with manualSelector and without a selector: in every run, not only in the one that removed
// the selector.
func (t *transformer) warnJob(o *krm.Object) {
	if isJob(o) && o.String("spec", "manualSelector") == "true" && o.Lookup("spec", "selector") == nil {
		t.report(sdk.Warning, o, field.NewPath("spec", "manualSelector"),
			"the Job has a selector of its own, but spec.selector is removed before it ships, and clusters refuse it without; remove manualSelector")
	}
}

func (t *transformer) add(results sdk.Results) { t.results = append(t.results, results...) }

func (t *transformer) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	t.results = append(t.results, fn.NewResult(sev, o, at, format, args...))
}
