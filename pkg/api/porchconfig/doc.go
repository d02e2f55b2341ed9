// Package porchconfig holds the kinds of API group config.porch.kpt.dev, version v1alpha1, that
// Waybill reads: Repository and PackageVariant, and PackageVariantSet in the old version.
// Version v1alpha2 is in the package below.
//
// Shape: plain values with JSON tags that are runtime.Objects, strictly decoded from objects by
// ReadRepository, ReadPackageVariant and ReadPackageVariantSet. Decoding checks the form, and
// Validate the meaning. Defaults are results of methods and not filled in. The rules of API servers are
// generated from markers in the types, with the same messages.
// Cost: negligible.
// Errors: decoding names the object and every bad field by its path; *ValidationError joins the messages,
// which equal those of Porch's controller.
// Source: Porch's API group config.porch.kpt.dev.
//
// +kubebuilder:object:generate=true
// +groupName=config.porch.kpt.dev
// +versionName=v1alpha1
package porchconfig

//go:generate go tool controller-gen object paths=./...

// The group, version and kinds of this package.
const (
	Group                 = "config.porch.kpt.dev"
	Version               = "v1alpha1"
	APIVersion            = Group + "/" + Version
	KindRepository        = "Repository"
	KindPackageVariant    = "PackageVariant"
	KindPackageVariantSet = "PackageVariantSet"
)
