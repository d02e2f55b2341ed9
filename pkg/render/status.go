package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// WithStatus returns tree with the outcome of a render in the status of its root Kptfile: the
// condition Rendered, last of all conditions, and what each function said. It holds no times, so
// that rendering again changes nothing.
func WithStatus(tree pkgtree.Tree, steps []Step, failure error) (pkgtree.Tree, error) {
	data, _ := tree.Get(kptfileName)
	f, err := kptfile.Parse(kptfileName, data)
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
	return tree.Apply(map[string][]byte{kptfileName: data})
}

// renderStatus is what the functions did, nil when there are none.
func renderStatus(steps []Step) *kptfilev1.RenderStatus {
	if len(steps) == 0 {
		return nil
	}
	status := &kptfilev1.RenderStatus{}
	var summary []string
	for i := range steps {
		s := &steps[i]
		if s.Validator {
			status.ValidationSteps = append(status.ValidationSteps, s.status())
		} else {
			status.MutationSteps = append(status.MutationSteps, s.status())
		}
		if s.Err != nil {
			why := fmt.Sprintf("exit code %d", s.ExitCode)
			summary = append(summary, cmp.Or(s.Name, s.Title())+": "+cmp.Or(s.executionError(), why))
		}
	}
	status.ErrorSummary = strings.Join(summary, "\n")
	return status
}

func (s *Step) status() kptfilev1.PipelineStepResult {
	bad := func(r *sdk.Result) bool { return r.Severity == sdk.Error }
	good := func(r *sdk.Result) bool { return !bad(r) }
	return kptfilev1.PipelineStepResult{
		Name: s.Name, Image: s.Image, ExecPath: s.Exec, Stderr: s.Stderr, ExitCode: s.exitCode(),
		ExecutionError: s.executionError(), Results: s.entries(good), ErrorResults: s.entries(bad),
	}
}

// executionError is why a step failed whose function did not say so itself.
func (s *Step) executionError() string {
	if s.Err == nil || s.ExitCode != 0 {
		return ""
	}
	return s.Err.Error()
}
