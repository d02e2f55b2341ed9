package branch

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// reportFile holds what is wrong and what is odd, as kpt writes results of functions. No policy can be
// called that.
const reportFile = "_results.yaml"

// longestReport is how many results are written down.
const longestReport = 1000

// reportOf is that file; nil when all is well.
func reportOf(results sdk.Results) ([]byte, error) {
	if len(results) == 0 {
		return nil, nil
	}
	step := render.Step{Image: combine.Name, Results: results}
	if n := len(results) - longestReport; n > 0 {
		more := fn.NewResult(sdk.Info, nil, nil, "and %d more", n)
		step.Results = append(results[:longestReport:longestReport], more)
	}
	failed := (&fn.Output{Results: results}).Failed()
	if failed {
		step.ExitCode = 1
	}
	return render.ResultsFile([]render.Step{step}, failed)
}
