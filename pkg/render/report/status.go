// Package report writes what the functions of a render reported: kpt's results file, and the status in the root Kptfile.
//
// Shape: steps of a render in, bytes of the file or a changed Kptfile out; pure.
// Cost: the size of the results.
// Errors: a Kptfile that cannot be edited, by its path.
// Source: kpt fn render --results-dir, and kpt's RenderStatus.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// WithStatus returns tree with the outcome of a render in the status of its root Kptfile: the
// condition Rendered, as the last of all conditions, and what each function reported. The status holds no times:
// a second render does not change it.
func WithStatus(tree pkgtree.Tree, steps []render.Step, failure error) (pkgtree.Tree, error) {
	data, _ := tree.Get(kptfile.Name)
	f, err := kptfile.Parse(kptfile.Name, data)
	if err != nil {
		return tree, err
	}
	rendered := kptfilev1.NewRenderedCondition(kptfilev1.ConditionTrue, kptfilev1.ReasonRenderSuccess, "")
	if failure != nil {
		rendered = kptfilev1.NewRenderedCondition(kptfilev1.ConditionFalse, kptfilev1.ReasonRenderFailed, failure.Error())
	}
	others := slices.DeleteFunc(slices.Clone(f.Conditions()), func(c kptfilev1.Condition) bool {
		return c.Type == kptfilev1.ConditionTypeRendered
	})
	f.SetConditions(append(others, rendered))
	f.SetRenderStatus(renderStatus(steps))
	if data, err = f.Bytes(); err != nil {
		return tree, err
	}
	return tree.Apply(map[string][]byte{kptfile.Name: data})
}

// renderStatus is what the functions reported, nil when there are none.
func renderStatus(steps []render.Step) *kptfilev1.RenderStatus {
	if len(steps) == 0 {
		return nil
	}
	status := &kptfilev1.RenderStatus{}
	var summary []string
	for i := range steps {
		s := &steps[i]
		if s.Validator {
			status.ValidationSteps = append(status.ValidationSteps, stepResult(s))
		} else {
			status.MutationSteps = append(status.MutationSteps, stepResult(s))
		}
		if s.Err != nil {
			why := fmt.Sprintf("exit code %d", s.ExitCode)
			summary = append(summary, cmp.Or(s.Name, s.Title())+": "+cmp.Or(executionError(s), why))
		}
	}
	status.ErrorSummary = strings.Join(summary, "\n")
	return status
}

func stepResult(s *render.Step) kptfilev1.PipelineStepResult {
	return kptfilev1.PipelineStepResult{
		Name: s.Name, Image: s.Image, ExecPath: s.Exec, Stderr: s.Stderr, ExitCode: exitCode(s),
		ExecutionError: executionError(s), Results: entries(s.Results), ErrorResults: entries(errorsAmong(s.Results)),
	}
}

// errorsAmong are the results that say what is wrong. As in kpt, all results are also in the list of results.
func errorsAmong(results sdk.Results) (errs sdk.Results) {
	for _, r := range results {
		if r.Severity == sdk.Error {
			errs = append(errs, r)
		}
	}
	return errs
}

// executionError is why a step failed although its function exited with 0.
func executionError(s *render.Step) string {
	if s.Err == nil || s.ExitCode != 0 {
		return ""
	}
	return s.Err.Error()
}
