// Package plan decides what the controller of CombinedStatuses writes.
//
// Shape: the caller puts objects into a State as an API server has them, has its Engine evaluate, and calls Refresh. Then
// TakeRequests lists the objects to compare with what they should be, and Plan compares one: a Write, or nil. The caller
// executes the Write and calls Done with what the API server answered, or Rejected. A State is for one goroutine at a time;
// it keeps what is put in.
// Cost: that of package engine, and one comparison for each request.
// Errors: of an object that cannot be read, which stays as it was for a Binding, and counts as missing for a StatusCollector.
// Source: KubeStellar's status controller, as a contract.
package plan
