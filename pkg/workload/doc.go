// Package workload says what the objects of a package mean to a fleet: which of them ship, what
// API servers call their kinds, which namespace they land in, and which clusters there are.
//
// Shape: items in; a Resources (names and scopes of kinds, by which entries of Bindings are matched
// with objects) and an Inventory (clusters, sorted by
// name) out. Nothing is changed and nothing but the items is read.
// Cost: one pass over the items to make each; then a map lookup per question.
// Errors: what is wrong with items or options, all at once: a field.ErrorList with a path, or
// Results that carry the object.
// Source: what KubeStellar's controllers watch, and its customization properties; the built-in kinds are those of the
// Kubernetes API reference, up to release 1.37.
package workload
