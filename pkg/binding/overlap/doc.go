// Package overlap reports what policies have in common: objects that several send to one cluster, and objects of which one status
// is wanted although several clusters, or none, have them.
//
// Cost: objects × policies that select them, in words of a bit set of clusters; then only the pairs of policies that are reported.
package overlap
