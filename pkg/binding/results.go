package binding

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

func (r *resolver) add(results sdk.Results) { r.results = append(r.results, results...) }

func (r *resolver) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	r.results = append(r.results, fn.NewResult(sev, o, at, format, args...))
}

func failed(results sdk.Results) bool { return (&fn.Output{Results: results}).Failed() }

// reportNamespaces reports objects whose namespace is not the one that they name.
func (r *resolver) reportNamespaces() {
	at := field.NewPath("metadata", "namespace")
	for _, e := range r.candidates.All {
		switch named := e.Object.Namespace(); named {
		case e.Namespace:
		case "":
			r.report(sdk.Info, e.Object, at, "names no namespace; treated as in namespace %q", e.Namespace)
		default:
			r.report(sdk.Warning, e.Object, at, "the kind is cluster-scoped, so namespace %q has no effect; remove it", named)
		}
	}
}

// reportDuplicates reports objects that are one object to an API server, whatever their versions.
func (r *resolver) reportDuplicates() {
	first := make(map[workload.Entry]*match.Candidate, len(r.candidates.All))
	for _, e := range r.candidates.All {
		switch old := first[e.Entry]; {
		case old == nil:
			first[e.Entry] = e
		case old.Version != e.Version:
			r.report(sdk.Error, e.Object, field.NewPath("apiVersion"),
				"the same object occurs in versions %s and %s, also as %s; keep one", old.Version, e.Version, old.Object.Describe())
		default:
			r.report(sdk.Error, e.Object, field.NewPath("metadata", "name"),
				"the same object occurs twice, also as %s; keep one", old.Object.Describe())
		}
	}
}
