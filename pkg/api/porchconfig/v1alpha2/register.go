package v1alpha2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// GroupVersion is the group and version of the kind here.
var GroupVersion = schema.GroupVersion{Group: porchconfig.Group, Version: Version}

var schemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &PackageVariantSet{}, &PackageVariantSetList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
})

// AddToScheme adds the kind of this package and its list to a scheme.
var AddToScheme = schemeBuilder.AddToScheme
