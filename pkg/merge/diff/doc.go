// Package diff lists the changes between two versions of a package, by the rules by which package merge merges.
//
// Shape: two Trees in, a sorted list of Changes out; pure.
// Cost: O(bytes) of the files that differ, on all processors. Definitions of kinds are read only when an object of a
// kind that Kubernetes does not have differs.
// Errors: none; a file that cannot be read is compared as a whole.
// Source: the rules of package merge.
package diff
