// Package porchconfig holds the kinds of API group config.porch.kpt.dev, version v1alpha1, that
// Waybill reads: Repository and PackageVariant.
//
// Shape: plain values with JSON tags, strictly decoded from objects by ReadRepository and
// ReadPackageVariant. Validate says what is wrong with the meaning; decoding says what is wrong
// with the form. Nothing here has a clock, a client or defaults that are filled in behind one's
// back: a default is the answer of a method.
// Cost: none to speak of.
// Errors: decoding names the object and every bad field by its path; *ValidationError joins the
// messages of Porch's controller, word for word.
// Source: Porch's API group config.porch.kpt.dev.
package porchconfig

// The group, version and kinds of this package.
const (
	Group              = "config.porch.kpt.dev"
	APIVersion         = Group + "/v1alpha1"
	KindRepository     = "Repository"
	KindPackageVariant = "PackageVariant"
)
