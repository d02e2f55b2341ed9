// Package apisync keeps, for every object that consumers create on one side, a copy on the other, together with its related
// objects, and copies status back. It decides; package syncfn executes its decisions on the files of a package (the function
// `sync`), and controllers/publishedresource between API servers.
//
// Shape: New compiles a PublishedResource into a Rule. Rule.Round takes a Snapshot, all objects of both sides or those of
// one primary, and returns a Round, the next step: the operations of package applyset in a safe order, statuses to write,
// annotations that list related objects for consumers, and for API servers which finalizers to add and remove. Round is
// pure. What depends on something that is not written yet waits for a later Round.
// The source side has clusters (workspaces), the destination side is one place. Keys of source objects are
// "<cluster>|<group>/<Kind>/<namespace>/<name>"; those of the destination have no cluster.
// Cost: a Round is linear in the objects, plus the mutation rules, templates and selectors; each selector is matched against
// all objects of its type and namespace for each primary.
// Errors: New returns a field.ErrorList for an invalid PublishedResource. A fault of one primary is a Result and keeps its
// objects as they are. No message holds a value of an object.
// Source: the published contract of kcp's API syncer, with the decisions of this project about it.
package apisync
