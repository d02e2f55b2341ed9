// Package plan computes which operations make a backend hold what Translations request.
//
// Shape: Translations, a Table and an Inventory in, a BackendPlan out; pure.
// Cost: linear in resources, plus sorting by name.
// Errors: what is wrong with a Translation is a problem in the plan, and keeps the resources of that Translation and
// all that they need. An error means that the inventory is not of this backend.
package plan
