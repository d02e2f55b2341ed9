// Package object merges the fields of one object three ways.
//
// Shape: YAML nodes of base, theirs and ours in; ours changed in place and a list of Conflicts out. A schema.Type says
// how the items of a list are told apart.
// Cost: O(fields).
// Errors: none; a disagreement is a Conflict. Values of Secrets are not shown.
// Source: Kubernetes documentation, Server-Side Apply, "Merge strategy"; kpt for what it does otherwise.
package object
