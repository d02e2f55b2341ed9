// Package combinedstatus keeps CombinedStatuses current with what clusters report, and returns statuses into workload objects
// where Bindings request that.
//
// Shape: Add adds one controller to a manager. It watches WorkStatuses and ManifestWorks in a hub, and Bindings,
// BindingPolicies, StatusCollectors, CombinedStatuses and the workload kinds that Bindings name in a home, which may be the
// same API server. Event handlers put the objects into a plan.State. A reconcile, at most one in each Interval, evaluates
// what changed, plans a write for each object that is not as it should be, and executes the writes, each on condition that no
// other client changed the object. A long evaluation is divided into slices: event handlers run between them, and finished
// results are written. A kind that is not served in the version that a Binding names is left out, and looked for again at
// intervals; its results stay, and so do those of a Binding that cannot be read. The controller writes nothing before it
// knows all Bindings, StatusCollectors and CombinedStatuses and can watch a kind that reports; BindingPolicies may come
// later. It stores nothing: another leader comes to the same results. What no Binding requests any more is recognised and
// deleted: a CombinedStatus by its five labels, a returned status by its label. All kinds are searched for the latter once,
// at the start. docs/decisions/0015 says why there is no workqueue with a key for each object.
// CombinedStatuses are listed whole and watched as metadata. Of one in the version that was written or read last, the results
// are known, and a write is a JSON patch with the changed rows that fails in another version. Any other version is read and
// compared before it is written. What the API server makes of a write is not compared.
// Cost: a watch for each kind; in memory the reported statuses, the objects of the workload kinds, and a row for each
// cluster, object and collector. A report costs its rows, and a write of them when they differ. A status that is returned
// under another label than before costs three requests, the first a dry run. The search sends one request for each kind (two
// for some), four at a time.
// Errors: those of collectors are in their status, missing collectors in the condition of Bindings, and the status of
// policies says where not exactly one cluster has an object whose singleton status they request. Others are logged and
// retried with backoff, with the longest pause at once when an object is too large or its namespace is missing. A returned
// status that the API server finds invalid is retried when something changes; until then the object keeps its status and
// label. Warnings are logged once. Results that do not fit into one CombinedStatus are left out as package status says.
// Source: KubeStellar's status controller, as a contract.
package combinedstatus
