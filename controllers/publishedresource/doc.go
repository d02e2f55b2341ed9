// Package publishedresource reconciles the PublishedResources of a cluster, the destination: it keeps there a copy of
// each object that consumers create in the workspaces of other API servers, the source.
//
// Shape: Add adds the controller to a manager. Each PublishedResource of this agent has a worker; a worker makes
// passes, one at a time, over the primaries that a change may concern, or over all. For each of them a pass collects
// what may be relevant from indexed caches, lets package apisync plan a round, executes it in the order of its fields,
// and repeats that until a round is empty. The answer to a write is in the cache before the next round; a write
// succeeds only if the object is as it was read. What was last applied is in a Secret for each primary, stored after
// the writes; what is too large for a Secret is in memory, and after a restart a field that such an object lost
// meanwhile stays in its copy. All other state is in the clusters, so that another leader comes to the same results,
// wherever this one stopped.
// Deletions: a finalizer holds a source that is deleted until no copy is left. A source that disappeared otherwise
// counts as deleted only if the view is Complete, its workspace answers that it does not exist, and another object of
// its type exists there, or allowEmpty is set (see absence.go); maxDeletions bounds the copies that one pass deletes
// though no consumer deleted the source. Related objects at the source lose their finalizer when no primary of their
// workspace refers to them and no copy is left; the pass checks that after the rounds, when nothing else changes. A
// workspace that does not answer is left out, and the others are reconciled. No schema is published: consumers see the
// type where an administrator installed it.
// Cost: the objects of all types that are named, in memory, for each workspace; a round is linear in what may be
// related to the primary: its namespaces, or everything where an entry selects namespaces. A round costs one request,
// for the Secret.
// Errors: in the conditions of the PublishedResource, in events of primaries (ReconcilingError), in metrics and in the
// log, on one line. They hold nothing of a Secret.
// Source: kcp's API syncer as a contract, with the decisions of this project about it.
package publishedresource
