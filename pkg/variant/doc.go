// Package variant decides what a PackageVariant wants now.
//
// Shape: values in, values out. Decide looks at a State of package revisions and gives a Plan;
// Clone makes a new downstream package of an upstream one; MutateWith puts the variant's package
// context, functions and injected objects into a package; Conditions and PackageConditions describe the
// result. Package snapshot reads what a State holds, package draft makes the content of drafts, and package reconciler does
// what a Plan says.
// Cost: Decide is linear in upstream revisions and sorts those of the downstream; Clone and MutateWith parse
// each resource file once and share every file they do not change with the tree they were given.
// Errors: one line that names file or field. Decide has none: what is wrong is a Plan of its own.
// Not in Porch: an upstream that floats (spec.upstream.follow) and drafts that are recreated
// (OpenDraftAnnotation); both only where a user asks for them.
// Source: Porch's PackageVariant controller; where it is known to be wrong, the code says what differs.
package variant
