// Package reports holds what clusters report about workload objects, by object and cluster.
//
// Shape: WorkStatus objects and plain ManifestWorks in, one at a time; one Report for every object and cluster out. The
// namespace of what is put in is the cluster. Put and Delete return the places whose Report changed, so that a controller
// looks at nothing else. An Index keeps what is put in without a copy; neither side may change it later.
// Two things are reported, and kept apart:
//
//   - Report.Status is the object's own status. A WorkStatus has it word for word, and wins. Without one
//     it is assembled from the feedback of a ManifestWork, and has only the fields that the feedback has.
//   - Report.Manifest is what a ManifestWork says about the object as one of its manifests: whether it was
//     applied, whether it exists, whether that is about the present generation, and why not. It counts beside
//     a WorkStatus, too; of several works, the worst.
//
// A manifest that could not be applied, one whose object is gone, and one with neither the condition Applied nor feedback is
// no report; nor is a work that is being deleted. Feedback becomes a status in this way:
//
//   - A value whose feedback rule, in the work itself, names a field (".status.a.b") is that field.
//   - The names that agents use by themselves (ReadyReplicas, JobSucceeded, PodPhase, ...) are the
//     fields that they come from, if the rules request them or the work is given without rules.
//   - A value from the condition of a type (JobComplete, PodReady, or a rule with the path
//     .status.conditions[?(@.type=="T")].status) is an element of conditions with type and status.
//   - Any other value is in Manifest.Feedback alone, which has all values by name.
//
// So a collector that refers to returned.status.readyReplicas finds it in either. Only whole fields of the object may be
// returned into the object: Report.Fields has these alone.
// Cost: Put and Delete look at one object and what it shares a place with; Of and In are two map lookups.
// Errors: an object that cannot be read is an error in one line, and the Index does not change. What is unusual but usable is
// a Warning, and so is a value that is too large or too deep to be written into an object, which is left out: see package
// limits. Values never appear in either, nor does what an API server says about a Secret. If a manifest that failed names no
// object, the words of its API server are a Warning.
// Source: KubeStellar's WorkStatus and its consumers; Open Cluster Management, ManifestWork, status feedback.
package reports
