package injection

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ContextAnnotation makes an item a context object of inject-config if it is "true".
const ContextAnnotation = fn.ReservedPrefix + "context"

// readContext divides items into context objects and those that may be injection points.
func (r *run) readContext() {
	for _, o := range r.in.Items {
		switch value := o.Annotation(ContextAnnotation); {
		case !o.HasAnnotation(ContextAnnotation) || value == "false":
			r.others = append(r.others, o)
		case value != "true":
			r.report(sdk.Error, o, annotationPath(ContextAnnotation), "want \"true\" or \"false\", got %q", value)
		case o.Is("", "Secret"):
			r.report(sdk.Warning, o, annotationPath(ContextAnnotation), "a Secret is never injected, because injected values are in Git")
		default:
			r.context = append(r.context, o)
		}
	}
}

// checkContext reports context objects that an injector cannot distinguish: of one kind and name,
// and both visible.
func (r *run) checkContext() {
	for _, found := range groupByKind(r.context, r.opts.Namespace) {
		first := map[string]*krm.Object{}
		for _, o := range found {
			if other := first[o.Name()]; other != nil {
				r.report(sdk.Error, o, nil, "namespace %q has a context object of this kind and name, too: "+
					"choose one with the option namespace, or remove one", other.Namespace())
				continue
			}
			first[o.Name()] = o
		}
	}
}

func annotationPath(key string) *field.Path {
	return field.NewPath("metadata", "annotations").Key(key)
}
