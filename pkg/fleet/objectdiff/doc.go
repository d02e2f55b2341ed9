// Package objectdiff finds the differences of two objects that package merge does not report and a cluster notices: lists in
// another order, annotations of tools, and scalars that YAML 1.1 reads differently.
//
// Shape: AsReceived rewrites an object as the API server receives it. BeyondMerge adds to the changes of a merge.
// Secrets: values of Secrets are hidden as package merge hides them.
// Source: YAML 1.1 and 1.2; Kubernetes API reference, for the keys of lists.
package objectdiff
