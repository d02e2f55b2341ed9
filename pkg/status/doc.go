// Package status combines what clusters report about an object, by the queries that StatusCollectors
// are.
//
// Shape: Compile makes a Program of a collector, once. Evaluate makes a result of a Program, an object
// and one Report for each destination; Rows do the same step by step and keep what was evaluated, so
// that one Report can be replaced. Collectors hold Programs by name and say which are missing; New
// puts results into a CombinedStatus, into which Bound makes them fit. Where reports come from is not known here: see the folder
// reports; nor are statuses written back into objects: see writeback.
//
// A Program is safe for concurrent use; Rows are for one goroutine. Objects and statuses are shared,
// not copied, and must not change while Rows hold them.
//
// Cost: a row takes about a microsecond per expression, a result some hundred nanoseconds per row.
// What one expression may cost is bounded, see the folder expression, what all of them may cost for one
// cluster, see MaxRowCost, and how large and how deep a value may be, see the folder limits; how long all
// may take is up to the context.
// Errors: what is wrong with a collector is told by Compile, in the words of KubeStellar; what is wrong
// with a row or an aggregate is a part of the result; what a person should know besides is a Warning.
// The same reports in any order give the same bytes.
// Source: KubeStellar's StatusCollector and CombinedStatus.
package status
