// Package translation has a backend hold what the Translations of a cluster ask for.
//
// Shape: Add puts one controller into a manager. It follows Translations and the Secret with the
// credentials, and makes passes, at most one for each Interval: look at all Translations, plan by the
// inventory what the backend lacks (package backend), apply that, tell. Nothing but the inventory is kept,
// in objects of the cluster (package inventory), so that another leader goes on where this one ended. A
// Translation with a deletion timestamp asks for nothing; once the inventory has nothing of it left, the
// finalizer midonet.org/deleter is taken from it. One that is simply gone asks for nothing either, when the
// API server says so once more; that there is not one Translation left is not believed, unless the options
// say that it may be. What is not followed (other namespaces) stays.
// A Translation that failed by what may pass is tried again after pauses that grow, or when it changes, and
// keeps no other waiting. Only a backend that asks to be left alone is, and then what made it ask comes after
// the others. What is wrong for good is held as it is until its Translation, or the Secret, changes, or
// PermanentRetry is over; what it needs is kept with it. A pass ends after a Slice: the next one begins at
// once, and with what has changed. The inventory knows the backend's address, and is worked on at no other.
// Cost: all Translations in memory; a pass is linear in them, plus one call and one save for each operation.
// Errors: in events of the Translations, in metrics and in the log, on one line, without credentials.
// Source: midonet-kubernetes, its pusher, as a contract.
package translation
