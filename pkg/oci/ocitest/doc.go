// Package ocitest has registries for tests: a real one, one in memory, and one that lies.
//
// Shape: Registry starts the registry of the distribution project as a process; InMemory needs no program; Hostile answers as the test
// says.
// Cost: a tenth of a second for the process, which ends with the test. The registry stores in a folder of the test.
// Errors: a test that needs the process is skipped where `make registry` was not run, and fails if WAYBILL_REQUIRE names registry.
package ocitest
