// Package variantset says which PackageVariants a PackageVariantSet wants now.
//
// Shape: values in, values out. Decide looks at a State of revisions, repositories, selected objects
// and existing variants and gives a Plan: what to create, update and delete, whole or not at all.
// Kinds says beforehand what has to be listed, Plan.Depends afterwards what to watch; Conditions
// says how it went. Who reads the State and who carries out the Plan is not its business. The
// order of the State's lists does not matter.
// Cost: linear in targets and existing variants. An expression is compiled once and evaluated once
// for each target; what expressions may cost is bounded for each one and in sum.
// Errors: none; what is wrong is a Plan that does nothing and says why in one line.
// Source: Porch's PackageVariantSet controller; where it is known to be wrong, the code says what
// differs.
package variantset
