// Package mergetest provides packages for tests of merge and diff: the golden cases and generated ones. Only tests
// import it.
package mergetest
