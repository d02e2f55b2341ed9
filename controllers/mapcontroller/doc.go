// Package mapcontroller reconciles the MapControllers of a cluster: for every input that a parent selects, it keeps the
// outputs that hooks request.
//
// Shape: Add adds the controller to a manager. Each MapController has a worker; a worker makes passes, one at a time. A
// pass observes (all objects of the named types, from caches that MapControllers share), decides (package
// pkg/mapcontroller), acts, and reports. A change queues the namespaces of the parents that it may concern; the
// controller retries failures after growing pauses, and calls a hook that asks for time again later. All state is in
// the cluster, so another leader gets the same results. The controller stores what was last applied in an annotation of
// each output. What is larger than 64 KiB is only in memory: after a restart, a field that such an output should lose
// stays, with a warning.
// Deletions: the view is complete unless the MapController says Partial, as lists come from the store of the API
// server. A pass does nothing until all types are listed, or while one of them cannot be. Before it deletes outputs
// because their input is absent, it reads the input itself from the API server; no other object of the type may have
// appeared or disappeared for a while, and the type must not be in deletion: see absence.go. An input type without any
// object deletes nothing unless allowEmpty is set; maxDeletions counts for one pass. The garbage collector deletes the
// outputs of an absent parent, unless allowEmpty is set: then the controller does, as outputs that cannot refer to
// their parent would stay otherwise. The controller writes the status of parents unless the spec says Report; if
// several MapControllers select a parent, the first by name writes it. Types without a status subresource get none.
// Cost: the objects of all named types, in memory, at about ten times the size of their JSON; a pass is linear in them,
// calls the map hook for each input of its parents, and writes what differs. A write causes another pass.
// Errors: in the conditions of the MapController, in events of parents (SyncError), in metrics and in the log, on one
// line. They contain nothing of a Secret, and no text of a webhook.
// Source: metacontroller's MapController proposal and its machinery, as a contract.
package mapcontroller
