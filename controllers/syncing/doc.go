// Package syncing works the PublishedResources of a cluster, the destination: of each object that consumers make in
// the workspaces of other API servers, the source, it keeps a copy there.
//
// Shape: Add puts one controller into a manager. A herd has a worker for each PublishedResource of this agent. A worker
// makes passes, one at a time, over the primaries that something happened to, or all. For each of them it gathers a small
// world of what can matter (shelves, which hold all objects of the types that are named and find them by words), asks
// package syncing of pkg for a round, carries it out in the order of its fields, and asks again until there is nothing to
// do. What an API server answers to a write is on the shelf before the next round; writes are made on condition that
// the object is as it was seen. What was last applied is in a Secret for each primary, stored after the writes it speaks
// of; one that is too large for a Secret is in memory, and after a restart a field that such a copy lost meanwhile stays.
// Nothing else is kept: another leader comes to the same results, wherever this one stopped.
// What is gone: a source that is deleted is held by a finalizer until nothing is left of it. One that vanished otherwise is
// gone only if the view is Complete, its workspace answers that it is not there, and there is at least one other of its
// type there, or allowEmpty; maxDeletions counts what goes in one pass though no consumer deleted it. Related objects at the
// source lose their finalizer when no primary of their workspace refers to them and no copy is left, which is looked at
// between rounds, when nothing else moves.
// A workspace that does not answer is left alone, and others are worked. No schema is published: consumers see the type
// where somebody else installed it.
// Cost: the objects of all types that are named, in memory, for each workspace; a round is linear in what may be related
// to the primary: its namespaces, or everything where an entry looks for namespaces. A look costs one request, for the Secret.
// Errors: in the conditions of the PublishedResource, in events of primaries (ReconcilingError), in metrics and in the
// log, on one line. They hold nothing of a Secret.
// Source: kcp's API syncer as a contract, with the stances of this project.
package syncing
