// Package storetest holds what every snapshot.Store does, whatever keeps its revisions. Only tests import it.
//
// Shape: Run takes an Env, which is a repository and how people work on it beside the Store, and runs a subtest for each duty. Each
// works on packages of its own, so that one repository, which may be slow to start, serves all of them.
// Cost: some fifty writes.
// Errors: a duty that a Store does not meet fails its subtest.
// Source: package revision, the first Store.
package storetest
