package porchconfig

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of every kind here.
var GroupVersion = schema.GroupVersion{Group: Group, Version: Version}

var schemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion,
		&Repository{}, &RepositoryList{},
		&PackageVariant{}, &PackageVariantList{},
		&PackageVariantSet{}, &PackageVariantSetList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
})

// AddToScheme adds the kinds of this package and their lists to a scheme.
var AddToScheme = schemeBuilder.AddToScheme
