// Package engine computes, for a whole fleet, which CombinedStatuses there should be and which statuses are
// returned to workload objects.
//
// Shape: the caller puts reports, collectors, bindings and workload objects in, one at a time, as they
// change. Then Reindex applies what Bindings and kinds say, Evaluate evaluates what the changes affect, in
// several calls if need be, and Changes returns which results are different now. The engine keeps the rows of
// all clusters for each object under each Binding, so a changed report costs one row for each collector. An
// Engine is for one goroutine at a time. It keeps what is put in, without a copy; the caller must not change it.
// Cost: Put and Delete look at the objects that they affect, Reindex at all Bindings, Evaluate at rows; objects
// that wait are evaluated in turns. Errors: one line about what was put in; doubts about a result are Warnings.
// The engine decides nothing about objects whose kind is not known yet, about what is not evaluated yet, or
// for Bindings that cannot be read: their CombinedStatuses stay. A kind is known once the version that a
// Binding names is served; objects of another version are other objects. The same input, in any order, gives
// the same results, which are those of package status.
// Source: KubeStellar, CombinedStatus and status return.
package engine
