// Package porchtest gives tests a real Porch: an API server that aggregates Porch's, with the definitions of its release, and
// Porch's controllers of PackageVariants and PackageVariantSets. Only tests import it.
//
// Shape: Start gives a test a Porch of its own, whose Repositories are bare repositories of gittest over HTTP. StartControllers
// adds Porch's controllers. With the variables of porch-server's database set (DB_HOST, DB_PORT, DB_NAME, DB_USER, DB_PASSWORD), Porch
// keeps drafts there in place of Git; each test empties it. There are no containers: packages have functions that Porch runs itself,
// or none.
// Cost: about eight seconds for a Porch, 700 MB.
// Errors: testenv.Need skips or fails a test without the programs; every other fault ends the test, with the last lines of
// the program's log.
// Source: Porch 1.5.3, flags and manifests.
package porchtest
