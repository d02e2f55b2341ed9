// Package combinedstatus keeps CombinedStatuses current with what clusters report, and the statuses of workload
// objects where Bindings ask for that.
//
// Shape: Add adds one controller to a manager. It watches WorkStatuses and ManifestWorks in a hub, and
// Bindings, BindingPolicies, StatusCollectors, CombinedStatuses and the kinds that Bindings ask about in a
// home, which may be the same API server. Event handlers put all of it into an engine.Engine and queue
// requests. A reconcile, at most one in each Interval, evaluates what changed, plans a write for each request
// whose object differs from what it should be, and executes the writes, each on condition that no other client
// wrote meanwhile. What takes longer to evaluate is evaluated in slices, between which event handlers run, and
// what is ready is written. A kind that is not served in the version that a Binding names is left out, and
// looked for again at intervals; its results stay, and so do those of a Binding that cannot be read. The
// controller writes nothing before it knows all Bindings, StatusCollectors and CombinedStatuses and can watch
// something that reports; BindingPolicies may come later. It stores nothing: another leader comes to the same
// results. What no Binding asks for any more is recognised and deleted: a CombinedStatus by its five labels, a
// returned status by the label that marks it. The latter are searched for in all kinds once, at the start.
// docs/decisions/0015 says why this is no workqueue with a key for each object.
// Cost: a watch for each kind; in memory the reported statuses, the objects of the kinds that are asked
// about, and a row for each cluster, object and collector. A report costs its rows, and a write when the
// result differs; a status that is returned under another label than before costs three requests, the first a
// dry run. The search asks one question for each kind (two for some), four at a time.
// Errors: those of collectors in their status, missing collectors in the condition of Bindings, and in the
// status of policies that they want the one status of an object that no cluster has; others are logged and
// retried with backoff, at once with the longest pause when an object is too large or its namespace is missing.
// A returned status that the API server finds invalid is retried when something changes; until then the object
// keeps its status and label. Doubts are logged once. Results that do not fit into one CombinedStatus are left
// out as package status says. Source: KubeStellar's status controller, as a contract.
package combinedstatus
