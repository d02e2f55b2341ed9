// Package reconciler makes package revisions in Git of what PackageVariants want.
//
// Shape: a Reconciler reads repositories (observe), asks package variant for a plan (decide), makes the content of drafts by
// package draft, pushes it (execute) and returns a Report. It holds no state: losing it loses
// nothing, and doing it again changes nothing. Preview does the same without a push.
// Cost: reading a repository's refs once, the content of the revisions concerned, and one push for
// up to 500 new drafts of a repository; what changes revisions that exist is a push each.
// Errors: in the Report, with the variant's conditions; a variant that fails leaves every ref as it
// was and does not keep others from being reconciled.
package reconciler
