// Package syncing keeps, for every object that consumers make on one side, a copy on the other, with
// what is related to it, and brings status back: `sync`, over files and, as the engine of a live
// controller, between API servers.
//
// Shape: New compiles a PublishedResource into a Rule; Rule.Round looks at a World, all objects of
// both sides or those of one primary, and says in a Round what to do next: the operations of package
// correspond in a safe order, statuses to write, annotations that tell consumers of related objects,
// and for live worlds which finalizers to put and take away. A Round is pure. It is one step: what
// depends on something that is yet to be written waits for the next. Settle goes on over files until a
// Round has nothing to do.
// The source side has clusters (workspaces), the destination side is one place. Keys of source
// objects are "<cluster>|<group>/<Kind>/<namespace>/<name>"; those of the destination have no cluster.
// Cost: a Round is linear in the objects, plus the mutation rules, templates and selectors; a selector is
// asked about all objects of its type and namespace for each primary.
// Errors: a field.ErrorList for a faulty PublishedResource, before anything is looked at; what is wrong with
// one primary is a Result and keeps what belongs to it as it is. No message holds a value of an object.
// Source: the published contract of kcp's API syncer, with the stances that this project takes on it.
package syncing
