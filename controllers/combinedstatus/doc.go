// Package combinedstatus keeps CombinedStatuses current with what clusters report, and the statuses of workload
// objects where Bindings ask for that.
//
// Shape: Add puts one controller into a manager. It follows what reports (WorkStatus, ManifestWork) in a
// hub, and Bindings, BindingPolicies, StatusCollectors, CombinedStatuses and the kinds that Bindings ask
// about in a home, which may be the same API server. All of it goes into an engine.Engine; passes, at most
// one for each Interval, write what differs from what is there: each object once in a pass, each write on
// condition that nobody else wrote meanwhile. What takes longer to evaluate than a pass may is evaluated in
// turns, between which the world goes on; what is ready is written. A kind that is not served in the version
// that a Binding names is left out and looked for now and then; what is there for it stays, and so does what
// is there for a Binding that cannot be read. While the home's kinds are not all known, or nothing reports
// can be followed, nothing is written; for BindingPolicies nothing waits. Nothing is kept: another leader
// comes to the same results.
// What is asked about no more is recognised and goes: a CombinedStatus by its five labels, a status that was
// returned by the label that tells of it. For the latter a search goes through all kinds once, at the start.
// Cost: a watch for each kind; in memory the reported statuses, the objects of the kinds that are asked
// about, and a row for each cluster, object and collector. A report costs its rows, and a write when the
// result is another one; a status that is returned under another label than before, three requests, the
// first of which only asks whether the API server would take it. The search asks one question for each kind, of some two, four at a time.
// Errors: of collectors in their status, of missing ones in the condition of Bindings, of policies that want
// the one status of what not one cluster has in theirs; others are logged and tried again after growing
// pauses, what is refused for its size or for want of a namespace after the longest at once. A returned
// status that the API server finds invalid is tried again when something changes: until then the object has
// the status and the label that it had. What is odd is logged once. Results that do not fit into one
// CombinedStatus are left out as package status says. Source: KubeStellar's status controller, as a contract.
package combinedstatus
