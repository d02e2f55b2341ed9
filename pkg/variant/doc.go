// Package variant says what a PackageVariant wants now.
//
// Shape: values in, values out. Decide looks at a State of package revisions and gives a Plan;
// Clone makes a new downstream package of an upstream one; Mutate puts the variant's package
// context, functions and injected objects into a package; Conditions, InjectionCondition and
// UnmetGates say how it went. Who reads the State and who carries out the Plan is not its business.
// Cost: Decide is linear in upstream revisions and sorts those of the downstream; Clone and Mutate parse
// each resource file once and share every file they do not change with the tree they were given.
// Errors: one line that names file or field. Decide has none: what is wrong is a Plan of its own.
// Ours: an upstream that floats (spec.upstream.follow) and drafts that are made anew
// (OpenDraftAnnotation); both only where asked for.
// Source: Porch's PackageVariant controller; where it is known to be wrong, the code says what differs.
package variant
