// Command testsummary turns the output of `go test -json` into a report for people, and lists what was not checked.
//
// Shape: events on stdin; on stdout one line per package as soon as it is done, the output of the
// tests that failed, then every skipped test with its reason, then, alone on the last line,
// "N passed, N failed, N skipped". A test with subtests counts through them, once each.
// Cost: one pass; holds the output of tests that are still running and of those that were skipped.
// Errors: exit status 1 when a test, package or build failed, when a package never finished, when
// nothing ran, and when a test was skipped that WAYBILL_REQUIRE does not excuse: as soon as that
// variable is set, the only excuse is a part, named by the reason, that it does not list.
// Source: `go doc test2json` for the events; pkg/testenv for the wording of a skip.
package main
