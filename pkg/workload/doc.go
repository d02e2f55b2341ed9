// Package workload says which objects of a package ship, how API servers name their kinds, in which namespace they are, and
// which clusters exist.
//
// Shape: items in; Resources (names and scopes of kinds, which match entries of Bindings
// with objects) and an Inventory (clusters, sorted by name) out. It changes nothing and reads only the items.
// Cost: one pass over the items for each; then a map lookup per call.
// Errors: all that is wrong with items or options, at once: a field.ErrorList with a path, or
// Results with the object.
// Source: what KubeStellar's controllers watch, and its customization properties; the built-in kinds are those of the
// Kubernetes API reference, up to release 1.37.
package workload
