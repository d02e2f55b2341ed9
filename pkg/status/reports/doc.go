// Package reports holds what clusters report about workload objects, by object and cluster.
//
// Shape: WorkStatus objects and plain ManifestWorks in, one at a time; for every object and cluster
// one Report out. The namespace of what is put in is the cluster. An Index is changed by Put and
// Delete, which name the places whose Report is another one now, so that a controller looks at
// nothing else. What is put in is kept, not copied: neither side may change it later.
//
// A WorkStatus carries the status of its object word for word, and wins. A ManifestWork carries
// values by name that its agent was asked for, and from these a status is put together:
//
//   - A value whose feedback rule, in the work itself, asks for a field (".status.a.b") is that field.
//   - The names that agents use by themselves (ReadyReplicas, JobSucceeded, PodPhase, ...) are the
//     fields that they come from.
//   - A value that comes from the condition of a type (JobComplete, PodReady, or a rule with the path
//     .status.conditions[?(@.type=="T")].status) is an element of conditions with type and status.
//   - Any other value stands under its own name, beside the fields.
//   - The conditions that the work has for its manifest (Applied, Available, what condition rules
//     conclude) follow in conditions, unless the object reports one of that type itself. There Available
//     says that the object exists.
//
// So a collector that asks for returned.status.readyReplicas finds it in either. Only whole fields of
// the object may go back into the object: Report.Fields are these alone.
//
// Cost: Put and Delete look at one object and what it shares a place with; Of and In are two map
// lookups.
// Errors: an object that cannot be taken in is an error in one line, and the Index is as it was.
// What is odd and yet usable is a Warning, and so is a value that is too large or too deep to be written
// into an object, which is left out: see the folder limits. Values never appear in either.
// Source: KubeStellar's WorkStatus and its consumers; Open Cluster Management, ManifestWork, status
// feedback.
package reports
