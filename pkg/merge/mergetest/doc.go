// Package mergetest gives tests packages to merge and to compare: the golden cases, and generated ones. Only tests
// import it.
package mergetest
