// Package status keeps CombinedStatuses current with what clusters report, and the statuses of workload
// objects where Bindings ask for that.
//
// Shape: Add puts one controller into a manager. It follows what reports (WorkStatus, ManifestWork) in a
// hub, and Bindings, StatusCollectors, CombinedStatuses and the kinds that Bindings ask about in a home,
// which may be the same API server. All of it goes into an engine.Engine; passes, at most one for each
// Interval, write what differs from what is there: each object once in a pass, each write on condition that
// nobody else wrote meanwhile. A kind that is not served is left out and looked for now and then; while the
// home's kinds are not all known, or nothing reports can be followed, nothing is written. Nothing is kept:
// another leader comes to the same results. What is asked about no more is recognised by its five labels,
// and deleted; an object whose kind no Binding asked about since the start keeps a status that was returned.
// Cost: a watch for each kind; in memory the reported statuses, the objects of the kinds that are asked
// about, and a row for each cluster, object and collector. A report costs its rows, and a write when the
// result is another one.
// Errors: of collectors in their status, of missing ones in the condition of Bindings; others are logged
// and tried again after growing pauses. Source: KubeStellar's status controller, as a contract.
package status
