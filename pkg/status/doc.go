// Package status combines what clusters report about an object, by the queries of StatusCollectors.
//
// Shape: Compile makes a Program of a collector, once. Evaluate makes a result of a Program, an object and one Report for
// each destination; Rows do the same step by step and keep what was evaluated, so that one Report can be replaced. Collectors
// hold Programs by name and say which are missing. New puts results into a CombinedStatus, and Bound makes them fit. Package
// reports knows where reports come from; package writeback writes statuses back into objects.
// A Program is safe for concurrent use; Rows are for one goroutine. Objects and statuses are shared, not copied, and must not
// change while Rows hold them.
// Cost: a row takes about a microsecond per expression, a result some hundred nanoseconds per row. Package expression bounds
// the cost of one expression, MaxRowCost that of all expressions for one cluster, and package limits the size and depth of a
// value; the context bounds the time of all.
// Errors: Compile returns what is wrong with a collector, in the words of KubeStellar. What is wrong with a row or an
// aggregate is part of the result. A Warning is what a user should know besides. The same reports in any order give the same
// bytes.
// Source: KubeStellar's StatusCollector and CombinedStatus.
package status
