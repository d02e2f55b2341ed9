package cluster

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// needed are the kinds that a controller cannot do without.
var needed = []schema.GroupVersionKind{
	porchconfig.GroupVersion.WithKind("Repository"),
	porchconfig.GroupVersion.WithKind("PackageVariant"),
	v1alpha2.GroupVersion.WithKind("PackageVariantSet"),
	waybill.GroupVersion.WithKind("ChangeBudget"),
}

// explain says of an error with which a controller ended which kinds the API server does not know, if that
// is why.
func explain(err error, mapper meta.RESTMapper) error {
	if err == nil {
		return nil
	}
	var lacking []string
	for _, kind := range needed {
		if _, why := mapper.RESTMapping(kind.GroupKind(), kind.Version); meta.IsNoMatchError(why) {
			lacking = append(lacking, kind.Kind+"."+kind.Version+"."+kind.Group)
		}
	}
	if len(lacking) == 0 {
		return err
	}
	return fmt.Errorf("the API server does not know %s: apply the CustomResourceDefinitions of controllers/manifests/crds first (%w)",
		strings.Join(lacking, ", "), err)
}
