// Package engine computes, for a whole fleet, which CombinedStatuses should exist and which statuses are returned to workload
// objects.
//
// Shape: the caller puts in reports, collectors, bindings and workload objects, one at a time, as they change. Then Reindex
// applies Bindings and kinds, Evaluate evaluates what the changes affect, in several calls if necessary, and Changes returns
// which results changed. The engine keeps the rows of all clusters for each object under each Binding, so a changed report
// costs one row for each collector. An Engine is for one goroutine at a time. It keeps what is put in without a copy; the
// caller must not change it.
// The engine decides nothing about objects whose kind is not known yet, about what is not evaluated yet, or for Bindings that
// cannot be read: their CombinedStatuses stay. A kind is known when the version that a Binding names is served; objects of
// another version are other objects. The same input, in any order, gives the same results, which are those of package status.
// Cost: Put and Delete look at the objects that they affect, Reindex at all Bindings, Evaluate at rows; waiting objects take
// turns.
// Errors: one line about what was put in. Warnings are about results.
// Source: KubeStellar, CombinedStatus and status return.
package engine
