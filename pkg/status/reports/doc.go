// Package reports holds what clusters report about workload objects, by object and cluster.
//
// Shape: WorkStatus objects and plain ManifestWorks in, one at a time; for every object and cluster
// one Report out. The namespace of what is put in is the cluster. An Index is changed by Put and
// Delete, which name the places whose Report is another one now, so that a controller looks at
// nothing else. What is put in is kept, not copied: neither side may change it later.
//
// Two things are told, and kept apart:
//
//   - Report.Status is the object's own status. A WorkStatus carries it word for word, and wins. Without one
//     it is put together from the feedback of a ManifestWork, and holds no field that the feedback did not bring.
//   - Report.Manifest is what a ManifestWork says about the object as one of its manifests: whether it was
//     applied, whether it exists, whether that is about the present generation, and why not. It counts beside a
//     WorkStatus, too; of several works, the worst.
//
// A manifest that could not be applied, one whose object is gone, and one with neither the condition Applied nor feedback is no
// report, nor is a work that is being deleted. Feedback becomes a status so:
//
//   - A value whose feedback rule, in the work itself, asks for a field (".status.a.b") is that field.
//   - The names that agents use by themselves (ReadyReplicas, JobSucceeded, PodPhase, ...) are the
//     fields that they come from, where the rules ask for them or the work is given without rules.
//   - A value that comes from the condition of a type (JobComplete, PodReady, or a rule with the path
//     .status.conditions[?(@.type=="T")].status) is an element of conditions with type and status.
//   - Any other value is in Manifest.Feedback alone, as all values are, by name.
//
// So a collector that asks for returned.status.readyReplicas finds it in either. Only whole fields of
// the object may go back into the object: Report.Fields are these alone.
//
// Cost: Put and Delete look at one object and what it shares a place with; Of and In are two map
// lookups.
// Errors: an object that cannot be taken in is an error in one line, and the Index is as it was.
// What is odd and yet usable is a Warning, and so is a value that is too large or too deep to be written
// into an object, which is left out: see the folder limits. Values never appear in either, nor
// does what an API server says about a Secret; of what failed, that names no object, its words are a Warning.
// Source: KubeStellar's WorkStatus and its consumers; Open Cluster Management, ManifestWork, status
// feedback.
package reports
