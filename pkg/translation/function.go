package translation

import (
	"context"
	_ "embed" // for the documentation

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
	"github.com/waybill-dev/waybill/pkg/workload"
)

//go:embed translate.md
var readme string

// Name is the function's.
const Name = "translate"

const configKind = "Translate"

// Function is translate.
var Function = &fn.Function{Name: Name, Kind: configKind, Doc: fn.MustDoc(readme, Name), Run: Run}

// Run makes the Translations of every object that has a converter, and deletes those that it no longer has. Invalid options
// are reported before any object is read.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	if refused := workload.RefuseTypos(in.Items); len(refused) > 0 {
		return &fn.Output{Items: in.Items, Results: refused}, nil
	}
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	converter, err := midonet.New(opts.forConverter())
	if err != nil {
		return nil, err
	}
	t := &translator{Options: opts, converter: converter, controller: controllerOf(in.Config), items: in.Items,
		maxTranslations: maxTranslations}
	t.readInputs()
	t.readTranslations()
	if err := t.convert(ctx); err != nil {
		return nil, err
	}
	if err := t.settle(ctx); err != nil {
		return nil, err
	}
	plan, err := applyset.Run(ctx, applyset.View{Items: in.Items, Ref: t.ref}, []applyset.Edge{t.edge()})
	if err != nil {
		return nil, err
	}
	return &fn.Output{Items: plan.Items, Results: t.finalResults(plan)}, nil
}

// edge builds the engine's rule.
func (t *translator) edge() applyset.Edge {
	return applyset.Edge{
		Verb: Name, Controller: t.controller, GeneratedBy: Name,
		Inputs: append(t.inputs, applyset.Input{Key: globalKey}), Project: t.project, Tombstone: t.tombstone,
		Adopt: adoptions[t.Adopt], DeleteAdopted: true, View: extents[t.View],
		AllowEmpty: t.AllowEmpty, MaxDeletions: t.maxDeletions(),
		OwnNames: []string{api.OwnerUIDLabel, api.GlobalLabel}, OwnReferences: true, Validate: t.validate,
	}
}
