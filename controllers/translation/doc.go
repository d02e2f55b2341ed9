// Package translation makes a backend hold what the Translations of a cluster request.
//
// Shape: Add adds one controller to a manager. It watches Translations and the Secret with the credentials, and
// reconciles all Translations together, at most once in each Interval: it reads them from the cache, plans by the
// inventory what the backend lacks (package backend), applies the plan, and reports. It stores only the inventory, in
// objects of the cluster (package inventory), so that another leader continues where this one ended.
// docs/decisions/0015 says why there is no key for each Translation. A Translation with a deletion timestamp requests
// nothing; when the inventory has nothing of it left, the controller removes the finalizer midonet.org/deleter. A
// Translation that is only in the inventory requests nothing either, after the API server itself says that it is gone;
// if no Translation is left at all, that counts only if the options allow it. Resources from namespaces that are not
// watched stay. A Translation that failed is retried with backoff, or when it changes; others do not wait for it. Only
// when the backend asks for a pause do all wait, and then the Translation that caused it comes after the others. A
// permanent failure keeps what the backend has of the Translation, and what that needs, until the Translation or the
// Secret changes or PermanentRetry is over. A reconcile ends after a Slice; the next one starts immediately, with what
// has changed. The inventory has the backend's address, and is used at no other.
// Cost: all Translations in memory; a reconcile is linear in them, plus one call and one save for each operation.
// Errors: in events of the Translations, in metrics and in the log, on one line, without credentials.
// Source: midonet-kubernetes, its pusher, as a contract.
package translation
