package render

import (
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// Trace is the input and the output of a step. It serves to find out where an object or a field comes from.
// It holds no copies: objects are not changed once they are shared, and an object that a step did not
// change is the same pointer before and after. The caller must not change it.
type Trace struct {
	// Step is the place of the step in Result.Steps.
	Step int
	// Folder is the package whose pipeline the step belongs to, from the root of the tree; "." for the root.
	Folder string
	// Function is the step in the Kptfile, and Place its place in the list of mutators or validators.
	Function *kptfilev1.Function
	Place    int
	// Config is the config of the function, nil for none.
	Config *krm.Object
	// Given are the items that the function received, and Before all items of its pipeline.
	Given, Before []*krm.Object
	// After are all items of the pipeline afterwards. It is nil for a step that failed.
	After []*krm.Object
}

// trace keeps the input and the output of s, if Options.Trace is set.
func (r *renderer) trace(p *load.Package, s *step, scope scope, after []*krm.Object) {
	if !r.opts.Trace {
		return
	}
	config, _ := s.functionConfig(p, scope.all) // an error is that of the step
	r.result.Traces = append(r.result.Traces, Trace{Step: len(r.result.Steps) - 1, Folder: p.Dir, Function: s.function, Place: s.index,
		Config: config, Given: scope.in, Before: scope.all, After: after})
}

// appendTraces appends the traces of another package, whose steps are the last in r.
func (r *Result) appendTraces(traces []Trace, steps int) {
	for _, t := range traces {
		t.Step += len(r.Steps) - steps
		r.Traces = append(r.Traces, t)
	}
}
