// Package mapcontroller reconciles the MapControllers of a cluster: it keeps, for every input that a parent selects, the
// outputs that hooks ask for.
//
// Shape: Add puts the controller into a manager. Each MapController has a worker; a worker makes passes, one at a time. A
// pass observes (all objects of the types that are named, from caches that MapControllers share), decides (package mapping
// of pkg), acts, and reports. A change queues the namespaces of the parents that it may concern; what failed is retried
// after growing pauses, and a hook that asks for time gets it. All state is in the cluster, so that another leader comes
// to the same results. What was last applied is in an annotation of each output; what is larger than 64 KiB is in memory,
// and after a restart a field that such an output lost meanwhile stays, with a warning.
// Deletions: the view is complete unless the MapController says Partial, as lists come from the store of the API server,
// and nothing is done until all types are listed, or while one of them cannot be. Before outputs go because their input is
// absent, the pass asks the API server for the input itself; no other object of the type may have come or gone for a
// while, and the type must not be on its way out: see absence.go. That a whole type of inputs is empty is not believed
// unless allowEmpty is set; maxDeletions counts for one pass. Outputs of a parent that is gone are left to the garbage
// collector, unless allowEmpty is set: then they go, as those that cannot refer to their parent otherwise never would.
// The status of parents is written unless the spec says Report; of several MapControllers that select a parent, the first
// by name writes it. Types without a status subresource get none.
// Cost: the objects of all types that are named, in memory, at some ten times the size of their JSON; a pass is linear in
// them, calls the map hook for each input of its parents, and writes what differs. A write causes another pass.
// Errors: in the conditions of the MapController, in events of parents (SyncError), in metrics and in the log, on one
// line. They hold nothing of a Secret, and nothing that a webhook said.
// Source: metacontroller's MapController proposal and its machinery, as a contract.
package mapcontroller
