// Package engine works out, for a whole fleet, which CombinedStatuses there should be and which statuses go
// back into workload objects.
//
// Shape: reports, collectors, bindings and workload objects in, one at a time as they change; then Arrange
// takes in what Bindings and kinds say, Evaluate evaluates what the changes concern, some at a time if need
// be, and Changes says what has another result now. For each object under each Binding the rows of all
// clusters are kept, so that one changed report is one row for each collector. An Engine is for one
// goroutine at a time. What is put in is kept, not copied, and may not change later.
// Cost: Put and Delete look at what is concerned; Arrange, at all Bindings; Evaluate, at rows, objects that
// wait taking turns. Errors: of what is put in, in one line; what is odd about a result is a Warning. Nothing
// is decided about objects of a kind that is not known yet, about what is not evaluated yet, and for Bindings
// that cannot be read: what is there for them stays. A kind is known by what serves it in the version that a
// Binding names, and by nothing else: objects of another version are others. The same state, reached by
// whatever way, gives the same results, those of package status.
// Source: KubeStellar, CombinedStatus and status return.
package engine
