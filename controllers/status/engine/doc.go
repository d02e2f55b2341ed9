// Package engine works out, for a whole fleet, which CombinedStatuses there should be and which statuses go
// back into workload objects.
//
// Shape: reports, collectors, bindings and workload objects in, one at a time as they change; Refresh then
// evaluates what the changes concern and says what has another result now. For each object under each
// Binding the rows of all clusters are kept, so that one changed report is one row for each collector. An
// Engine is for one goroutine at a time. What is put in is kept, not copied, and may not change later.
// Cost: Put and Delete look at what is concerned; a changed Binding, or a kind that becomes known, at all
// Bindings. Errors: of what is put in, in one line; what is odd about a result is a Warning. Nothing is
// decided about objects of a kind that is not known yet: what is there for them stays. The same state,
// reached by whatever way, gives the same results, those of package status.
// Source: KubeStellar, CombinedStatus and status return.
package engine
