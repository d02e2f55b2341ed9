package translation

import (
	"context"
	_ "embed" // for the documentation

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

//go:embed translate.md
var readme string

// Name is the function's.
const Name = "translate"

const configKind = "Translate"

// Function is translate.
var Function = &fn.Function{Name: Name, Kind: configKind, Doc: fn.MustDoc(readme, Name), Run: Run}

// Run gives every object that has a converter its Translations, and takes away those that it no longer
// has. Faulty options are found before any object is looked at.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	converter, err := midonet.New(opts.forConverter())
	if err != nil {
		return nil, err
	}
	t := &translator{Options: opts, converter: converter, controller: controllerOf(in.Config), items: in.Items}
	t.readInputs()
	t.findTwice()
	t.convert()
	t.claim()
	plan, err := correspond.Run(ctx, correspond.View{Items: in.Items, Ref: t.ref}, []correspond.Edge{t.edge()})
	if err != nil {
		return nil, err
	}
	t.summarize(plan)
	return &fn.Output{Items: plan.Items, Results: append(t.results, plan.Report()...)}, nil
}

// edge is what this function is to the engine.
func (t *translator) edge() correspond.Edge {
	e := correspond.Edge{
		Verb: Name, Controller: t.controller, GeneratedBy: Name,
		Inputs: append(t.inputs, correspond.Input{Key: globalKey}), Project: t.project,
		Adopt: adoptions[t.Adopt], View: extents[t.View],
		AllowEmpty: t.AllowEmpty, MaxDeletions: t.maxDeletions(),
	}
	if t.UpdateLimits {
		e.Validate = checkUpdate
	}
	return e
}
