package binding

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// report adds a result.
func (r *resolver) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	r.results = append(r.results, fn.NewResult(sev, o, at, format, args...))
}

// fault reports every error of errs about o, at its own field.
func (r *resolver) fault(o *krm.Object, errs field.ErrorList) {
	for _, e := range errs {
		r.results = append(r.results, faultOf(o, e))
	}
}

func faultOf(o *krm.Object, e *field.Error) *sdk.Result {
	res := fn.NewResult(sdk.Error, o, nil, "%v", e)
	res.Field = &sdk.Field{Path: e.Field}
	return res
}

func failed(results sdk.Results) bool { return (&fn.Output{Results: results}).Failed() }
