package render

import (
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Trace is what a step was given and what came of it, for those who ask afterwards where something comes from.
// Nothing is copied for it: objects are never changed once others have them, and an object that a step did not
// change is the same pointer before and after. Nobody may change what is in it.
type Trace struct {
	// Step is the place of the step in Result.Steps.
	Step int
	// Folder is that of the package whose pipeline it is of, from the root of the tree; "." for the root.
	Folder string
	// Function is the step as its Kptfile has it, and Place its place in the list of mutators or validators.
	Function *kptfilev1.Function
	Place    int
	// Config is what the function was configured with, nil for nothing.
	Config *krm.Object
	// Given is what the function was given, and Before all that its pipeline saw.
	Given, Before []*krm.Object
	// After is what the pipeline saw afterwards. Of a step that failed there is none.
	After []*krm.Object
}

// trace notes what s was given and what came of it, if anybody wants to know.
func (r *renderer) trace(p *pkg, s *step, scope scope, after []*krm.Object) {
	if !r.opts.Trace {
		return
	}
	config, err := p.functionConfig(s.function, scope.all)
	if err != nil { // which the step has said
		config = nil
	}
	if s.config != nil {
		config = s.config
	}
	r.result.Traces = append(r.result.Traces, Trace{Step: len(r.result.Steps) - 1, Folder: p.dir, Function: s.function, Place: s.index,
		Config: config, Given: scope.in, Before: scope.all, After: after})
}

// takeTraces appends what was traced of another package, whose steps are the last.
func (r *Result) takeTraces(traces []Trace, steps int) {
	for _, t := range traces {
		t.Step += len(r.Steps) - steps
		r.Traces = append(r.Traces, t)
	}
}
