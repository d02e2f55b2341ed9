// Package porchconfig holds the kinds of API group config.porch.kpt.dev, version v1alpha1, that
// Waybill reads: Repository and PackageVariant, and PackageVariantSet as old manifests spell it.
// What v1alpha2 of the group says is in the package below.
//
// Shape: plain values with JSON tags that are runtime.Objects, strictly decoded from objects by
// ReadRepository, ReadPackageVariant and ReadPackageVariantSet. Validate says what is wrong with
// the meaning; decoding says what is wrong with the form. Nothing here has a clock, a client or
// defaults that are filled in behind one's back: a default is the answer of a method. Marks in the
// types say the same to an API server, in the same words: its rules are generated from them.
// Cost: none to speak of.
// Errors: decoding names the object and every bad field by its path; *ValidationError joins the
// messages of Porch's controller, word for word.
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
