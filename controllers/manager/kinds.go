package manager

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// required are the kinds that the controllers of drafts cannot do without, and the files that define them. Porch has all but the last
// one: its definitions serve as well. The other controllers wait for their kinds.
var required = []struct {
	schema.GroupVersionKind
	file string
}{
	{porchconfig.GroupVersion.WithKind("Repository"), "config.porch.kpt.dev_repositories.yaml"},
	{porchconfig.GroupVersion.WithKind("PackageVariant"), "config.porch.kpt.dev_packagevariants.yaml"},
	{v1alpha2.GroupVersion.WithKind("PackageVariantSet"), "config.porch.kpt.dev_packagevariantsets.yaml"},
	{waybill.GroupVersion.WithKind("ChangeBudget"), "waybill.dev_changebudgets.yaml"},
}

// missing says which of these kinds the API server does not know, and what to apply. An API server that does not answer lacks none.
func missing(mapper meta.RESTMapper) error {
	var kinds, files []string
	for _, k := range required {
		if _, err := mapper.RESTMapping(k.GroupKind(), k.Version); meta.IsNoMatchError(err) {
			kinds = append(kinds, k.Kind+"."+k.Version+"."+k.Group)
			files = append(files, k.file)
		}
	}
	switch len(kinds) {
	case 0:
		return nil
	case len(required):
		return fmt.Errorf("the API server does not know %s: apply the CustomResourceDefinitions of controllers/manifests/crds first",
			strings.Join(kinds, ", "))
	}
	return fmt.Errorf("the API server does not know %s: apply %s of controllers/manifests/crds; the definitions that are there, "+
		"such as Porch's, serve and can stay", strings.Join(kinds, ", "), strings.Join(files, " and "))
}
