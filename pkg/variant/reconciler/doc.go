// Package reconciler makes package revisions in Git of what PackageVariants want.
//
// Shape: a Reconciler looks at repositories (observe), asks package variant for a plan (decide),
// carries it out (act) and says what came of it as a Report. It holds no state: losing it loses
// nothing, and doing it again changes nothing.
// Cost: reading a repository's refs once, the content of the revisions concerned, and one push for
// up to a hundred new drafts of a repository; what changes revisions that exist is a push each.
// Errors: in the Report, with the variant's conditions; a variant that fails leaves every ref as it
// was and does not keep others from being reconciled.
package reconciler
