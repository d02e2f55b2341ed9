// Package mergetest provides packages for tests of merge and diff: the golden cases and generated ones. Only tests
// import it.
//
// Shape: a golden case or a seed in, three trees out; the same seed gives the same trees.
// Cost: some milliseconds for each set of trees.
// Errors: they fail the test.
// Source: ours; golden cases are txtar archives.
package mergetest
