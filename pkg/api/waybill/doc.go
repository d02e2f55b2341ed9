// Package waybill holds the kinds of API group waybill.dev, version v1alpha1, our own: ChangeBudget, and
// BackendTable, BackendInventory and BackendPlan, which say how Translations are pushed; MapController
// with what its hooks are asked and answer; and PublishedResource, which says what is kept in sync.
//
// Shape: plain values with JSON tags that are runtime.Objects, strictly decoded from objects by
// ReadChangeBudget; Validate says what is wrong with the meaning. Nothing here counts: a budget is
// held against a pass where the pass is planned.
// Cost: none to speak of.
// Errors: decoding names the object and every bad field by its path; Validate gives a
// field.ErrorList, all faults at once, in field order.
// Source: ours; docs/decisions/0006-change-budgets.md says why a budget is an object beside the variants.
//
// +kubebuilder:object:generate=true
// +groupName=waybill.dev
// +versionName=v1alpha1
package waybill

//go:generate go tool controller-gen object paths=.

// The group, version and kinds of this package.
const (
	Group            = "waybill.dev"
	Version          = "v1alpha1"
	APIVersion       = Group + "/" + Version
	KindChangeBudget = "ChangeBudget"
)

// ExceedBudgetAnnotation on a PackageVariant or a PackageVariantSet lets what it wants pass, however
// much it changes. Its value is the reason, which must not be empty and is kept in the commits.
const ExceedBudgetAnnotation = Group + "/exceed-budget"

// HydratorMetadataAnnotation with the value "true" on a Repository has every approval write a file
// hydrator.metadata at the root of its branch, which names the upstream commit of what was approved:
// tools that promote from branch to branch ask for it.
const HydratorMetadataAnnotation = Group + "/hydrator-metadata"
