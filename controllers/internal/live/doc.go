// Package live holds what controllers share. For types named at run time: connections, watches, caches, queues, workers
// and conditions. For types known at build time: sources of events, events, conditions, and errors of the API server in
// stable words.
//
// Shape: Connect makes a Server of a rest.Config. A CacheSet has one Cache for each Resource that a user needs; a
// Watcher fills it, and it stops when the last user releases it. A Cache notifies its users of changes; a user adds
// keys to its Queue and takes them out in batches. Workers runs one goroutine for each object of a kind. Why not an
// informer: a Watcher distinguishes a type that is not served from one that cannot be read now, and the store of the
// API server answers its lists, not a cache that may be behind. A controller must not delete anything on weaker
// evidence. A Cache also has the answers to the controller's own writes, at once. See
// docs/decisions/0013-live-runtime.md.
// Cost: a watch for each type, and its objects in memory; a list in pages of 500 objects after each break.
// Errors: a Watcher passes them to its handler, and logs an error once while it stays the same; it retries after
// growing pauses.
// Source: Kubernetes documentation, API concepts, "Efficient detection of changes".
package live
