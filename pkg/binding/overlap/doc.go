// Package overlap reports what policies have in common: objects that several send to one cluster, and objects of which one status
// is wanted although several clusters, or none, have them.
//
// Shape: policies with what they select in, results out: one for each pair of policies, up to a limit.
// Cost: objects × policies that select them, in words of a bit set of clusters; then only the pairs of policies that are reported.
// Errors: none; what policies share is an info or a warning.
// Source: KubeStellar, createOnly and singleton status.
package overlap
