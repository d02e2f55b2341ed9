// Package mapping works the MapControllers of a cluster: for every input that a parent selects, the outputs
// that hooks ask for.
//
// Shape: Add puts one controller into a manager. A herd has a worker for each MapController. A worker makes
// passes, one at a time: look at all objects of the types that are named (shelves, which MapControllers
// share, and which go when nobody needs them), decide (package mapping of pkg, which does all of it), act,
// tell. A change has the parents looked at that see its namespace; what failed is tried again after growing
// pauses, and a hook that asks for time is given it. Nothing is kept but what is in the cluster: another
// leader comes to the same results. What was last applied is in an annotation of each output; what is
// larger than 64 KiB is in memory, and after a restart a field that such an output lost meanwhile stays,
// which a warning says.
// What is gone: the view is complete unless the MapController says Partial, for lists are answered by the
// store of the API server, and nothing is done before all types are listed, or while one of them cannot be.
// Before outputs go because their input is not there, the API server is asked for the input itself, and for a
// time no other object of the type may come or go, nor may the type be on its way out: see absence.go. That a
// whole type of inputs is empty is not believed unless allowEmpty is set; maxDeletions counts for one pass.
// Outputs of a parent that is gone are left to the garbage collector, unless allowEmpty is set: then they go,
// as those that cannot refer to their parent otherwise never would, and even if the parent was to orphan them.
// The status of parents is written unless the spec says Report; of several MapControllers that select a
// parent, the first by name writes it. Types without a status subresource get none.
// Cost: the objects of all types that are named, in memory, at some ten times the size of their JSON; a pass
// is linear in them, calls the map hook for each input of the parents that it looks at, and writes what
// differs. A change costs another pass, for what was written changes how the parent stands.
// Errors: in the conditions of the MapController, in events of parents (SyncError), in metrics and in the
// log, on one line. They hold nothing of a Secret, and nothing that a webhook said.
// Source: metacontroller's MapController proposal and its machinery, as a contract.
package mapping
