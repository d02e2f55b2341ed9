// Package backend is the parent of the packages that make a system with an HTTP API of its own (a network, a DNS, a load
// balancer) hold what Translations request. Its tests run them together.
//
// Shape: table compiles a BackendTable, which describes the kinds of resources. plan compares the desired Translations with
// an Inventory of what was applied, and returns a BackendPlan: operations in order, each with its reason. apply executes a
// plan through an httpclient, and saves the inventory before each call: what was done so far and what is about to be tried.
// If the process is killed at any point, a new plan from the stored inventory leads to the desired state and leaves nothing
// behind; the same plan may be resumed, too.
// Cost: see packages plan and apply.
// Errors: they have one line each and never contain credentials.
// Source: midonet-kubernetes, its pusher and its resource types.
package backend
