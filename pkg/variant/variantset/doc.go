// Package variantset decides which PackageVariants a PackageVariantSet wants now.
//
// Shape: values in, values out. Decide looks at a State of revisions, repositories, selected objects
// and existing variants and gives a Plan: what to create, update and delete, whole or not at all.
// Kinds says before what has to be listed, Plan.Depends after it what to watch; Conditions
// describes the result. The Reconciler reads the State and does what the Plan says, with objects of an API server or of files.
// The order of the State's lists does not matter.
// Cost: linear in targets and existing variants. An expression is compiled once and evaluated once
// for each target; the cost of expressions is bounded, each by itself and together. A reconcile lists every kind
// that the set selects, and writes every variant that changes.
// Errors: of Decide, a Plan that does nothing and says why in one line; of the Reconciler, in its Report. A write that fails does
// not keep the others from being made.
// Source: Porch's PackageVariantSet controller; where it is known to be wrong, the code says what
// differs.
package variantset
