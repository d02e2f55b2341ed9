// Package v1alpha2 holds the kind of API group config.porch.kpt.dev that is at version v1alpha2:
// PackageVariantSet.
//
// Shape: plain values with JSON tags that are runtime.Objects. ReadPackageVariantSet decodes an
// object strictly, of either version: FromLegacy translates what v1alpha1 said. Validate says what is
// wrong with the meaning. Expressions are text here: they are compiled where they are evaluated.
// Marks in the types say to an API server what Validate says, in the same words; what stands in a list
// loses the path in front, which the API server prints itself.
// Cost: none to speak of.
// Errors: decoding and translating name the object and every bad field by its path;
// *porchconfig.ValidationError joins the messages of Porch's controller, word for word.
// Source: Porch's API group config.porch.kpt.dev.
//
// +kubebuilder:object:generate=true
// +groupName=config.porch.kpt.dev
// +versionName=v1alpha2
package v1alpha2

import "github.com/waybill-dev/waybill/pkg/api/porchconfig"

// The version and kind of this package.
const (
	Version               = "v1alpha2"
	APIVersion            = porchconfig.Group + "/" + Version
	KindPackageVariantSet = "PackageVariantSet"
)
