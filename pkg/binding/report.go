package binding

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
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

// reportNamespace tells when an object does not live where it says.
func (r *resolver) reportNamespace(e *match.Candidate) {
	at := field.NewPath("metadata", "namespace")
	switch said := e.Object.Namespace(); said {
	case e.Namespace:
	case "":
		r.report(sdk.Info, e.Object, at, "names no namespace; treated as in namespace %q", e.Namespace)
	default:
		r.report(sdk.Warning, e.Object, at, "the kind is cluster-scoped, so namespace %q means nothing; remove it", said)
	}
}

// reportTwice reports objects that are one object to an API server, whatever their versions.
func (r *resolver) reportTwice(entries []*match.Candidate) {
	first := make(map[workload.Entry]*match.Candidate, len(entries))
	for _, e := range entries {
		switch old := first[e.Entry]; {
		case old == nil:
			first[e.Entry] = e
		case old.Version != e.Version:
			r.report(sdk.Error, e.Object, field.NewPath("apiVersion"),
				"the same object is given in versions %s and %s, also by %s; keep one", old.Version, e.Version, old.Object.Describe())
		default:
			r.report(sdk.Error, e.Object, field.NewPath("metadata", "name"),
				"the same object is given twice, also by %s; keep one", old.Object.Describe())
		}
	}
}
