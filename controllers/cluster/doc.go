// Package cluster runs the controllers in a Kubernetes cluster: objects come from its API server,
// what came of them goes into their status and into events.
//
// Shape: Run starts a manager with three controllers. PackageVariants are worked in passes, all that
// wait in a namespace at once, so that new drafts of one repository go out in one push and budgets
// are held against all of them. PackageVariantSets are worked one by one. Repositories are looked at
// on time; what changed there, and every change of an object that was injected or selected, brings
// back the variants and sets it concerns and no others. Nothing is kept that cannot be found again:
// a new leader starts from the API server and Git alone.
// Cost: a finalizer and a status, each written when it changes; a question for its refs per
// repository and pass, at most every few seconds; a watch per kind and namespace that is injected
// from; for each Repository its Git objects in memory.
// Errors: in conditions and events, the same trouble in the same words. What may mend itself is
// tried again after growing pauses; what waits for somebody waits for the event. Credentials never
// show.
// Source: Porch's API group config.porch.kpt.dev; Kubernetes API conventions.
package cluster
