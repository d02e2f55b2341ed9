// Package waybill holds the kinds of API group waybill.dev, version v1alpha1, our own: ChangeBudget; BackendTable,
// BackendInventory and BackendPlan, for pushing Translations; MapController with the requests and responses of its
// hooks; PublishedResource, a type of which the objects are synchronized; and the reports FleetPreview and
// FleetExplanation.
//
// Shape: plain values with JSON tags that are runtime.Objects, decoded strictly from objects by the Read functions.
// Methods give the defaults. Package validation checks the meaning. A budget is compared with a pass where the pass
// is planned.
// Cost: negligible.
// Errors: decoding names the object and every bad field by its path.
// Source: ours; docs/decisions/0006-change-budgets.md has the reasons for an object of its own for budgets.
//
// +kubebuilder:object:generate=true
// +groupName=waybill.dev
// +versionName=v1alpha1
package waybill

//go:generate go tool controller-gen object paths=.

// The group and version of this package.
const (
	Group      = "waybill.dev"
	Version    = "v1alpha1"
	APIVersion = Group + "/" + Version
)

// ExceedBudgetAnnotation on a PackageVariant or a PackageVariantSet allows it to exceed every budget. Its value is the
// reason, which must not be empty and is written into the commits.
const ExceedBudgetAnnotation = Group + "/exceed-budget"

// HydratorMetadataAnnotation with the value "true" on a Repository makes every approval write a file hydrator.metadata
// at the root of its branch. The file names the upstream commit of the approved package, for tools that promote from
// branch to branch.
const HydratorMetadataAnnotation = Group + "/hydrator-metadata"
