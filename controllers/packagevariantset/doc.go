// Package packagevariantset keeps the PackageVariants that PackageVariantSets want.
//
// Shape: a Reconciler looks at the objects of a namespace and the upstream's revisions (observe),
// asks package variantset for a plan (decide), creates, updates and deletes variants (act) and says
// what came of it as a Report. It holds no state; doing it again changes nothing. What the variants
// want is not its business.
// Cost: a List for every kind that the set selects, and one write for every variant that changes.
// Errors: in the Report, with the set's conditions. A plan that fails changes nothing; a write that
// fails does not keep the others from being made.
package packagevariantset
