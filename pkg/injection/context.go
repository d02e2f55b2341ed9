package injection

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ContextAnnotation makes an item of a package a context object of inject-config when it is "true".
const ContextAnnotation = fn.ReservedPrefix + "context"

// readContext sorts out which items are context objects, and which may be injection points.
func (p *parcel) readContext() {
	for _, o := range p.in.Items {
		switch value := o.Annotation(ContextAnnotation); {
		case !o.HasAnnotation(ContextAnnotation) || value == "false":
			p.others = append(p.others, o)
		case value != "true":
			p.report(sdk.Error, o, annotationPath(ContextAnnotation), "want \"true\" or \"false\", got %q", value)
		case o.Is("", "Secret"):
			p.report(sdk.Warning, o, annotationPath(ContextAnnotation), "a Secret is never injected: what is injected stands in Git")
		default:
			p.context = append(p.context, o)
		}
	}
}

// checkContext reports context objects that an injector cannot tell apart: of one kind and name,
// and both in view.
func (p *parcel) checkContext() {
	for _, found := range sortOut(p.context, p.opts.Namespace) {
		first := map[string]*krm.Object{}
		for _, o := range found {
			if other := first[o.Name()]; other != nil {
				p.report(sdk.Error, o, nil, "the context object of this kind and name in namespace %q is in view, too: "+
					"say with the option namespace which one counts, or remove one", other.Namespace())
				continue
			}
			first[o.Name()] = o
		}
	}
}

func annotationPath(key string) *field.Path {
	return field.NewPath("metadata", "annotations").Key(key)
}
