// Package v1alpha2 holds the kind of API group config.porch.kpt.dev that is at version v1alpha2:
// PackageVariantSet.
//
// Shape: plain values with JSON tags that are runtime.Objects. ReadPackageVariantSet decodes an
// object strictly, of either version: FromLegacy converts v1alpha1. Validate checks the meaning.
// Expressions are text here: they are compiled where they are evaluated. Markers in the types are the
// same rules for API servers, with the same messages; those of list elements have no path, which the API
// server prints itself.
// Cost: negligible.
// Errors: decoding and translating name the object and every bad field by its path;
// *porchconfig.ValidationError joins the messages, which equal those of Porch's controller.
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
