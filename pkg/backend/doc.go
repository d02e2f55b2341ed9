// Package backend makes something with an HTTP API of its own (a network, a DNS, a load balancer) hold
// what Translations ask for. What is to be done is planned without it, and done afterwards.
//
// Shape: a Table, compiled from a BackendTable, says what kinds of resources there are. Plan compares
// desired Translations with an Inventory of what was applied and gives a BackendPlan: operations in
// order, each with its reason. Apply carries a plan out over a Client, and has a Store keep the
// inventory: before each call, what was done so far and what is about to be tried. Wherever it is
// killed, planning again from the stored inventory leads to what is desired and leaves nothing behind;
// the same plan may be taken up again, too.
// Cost: a plan is linear in resources, plus sorting by name. To apply is one call and one save for each
// operation, more where the backend has the resource already; calls are made one after the other.
// Errors: a Table's are a field.ErrorList. What is wrong with a Translation is a problem in the plan,
// and keeps what that Translation has with what this needs; what goes wrong in a call is a Failure in the
// Result with its class, and keeps nothing else from being tried. An error of Apply means that nothing
// more could be done. Errors and results have one line each and never hold credentials.
// Source: midonet-kubernetes, its pusher and its resource types.
package backend
