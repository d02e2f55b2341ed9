package edit

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// ReportClashes reports every object of out that became the same object as another one because one of them was renamed or
// moved. Objects that were the same before are not reported.
func ReportClashes(out *fn.Output, before []*krm.Object, identity func(*krm.Object) krm.ID) {
	was := map[krm.ID]map[krm.ID]bool{}
	for i, o := range out.Items {
		id := identity(o)
		if was[id] == nil {
			was[id] = map[krm.ID]bool{}
		}
		was[id][identity(before[i])] = true
	}
	for i, o := range out.Items {
		if id := identity(o); len(was[id]) > 1 {
			at := "name"
			if id.Namespace != identity(before[i]).Namespace {
				at = "namespace"
			}
			out.Report(sdk.Error, before[i], field.NewPath("metadata", at), "would become %s, and so would another object of the package", id)
		}
	}
}
