// Package risk rates changes of objects: which rules of a fixed table apply to one object before and after.
//
// Shape: Of takes a Diff and returns the places of its rules in Rules, which is sorted by risk. Rules that need more than one
// object (a cluster that leaves, a hand-over) are in the table, and package fleet applies them.
// Errors: an object that has no plain data.
// Source: Kubernetes API reference, for fields that cannot change; ours, for the levels.
package risk
