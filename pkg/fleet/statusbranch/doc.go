// Package statusbranch publishes what clusters report, combined, on a branch of a Git repository.
//
// Shape: the caller puts reports into a Publisher. Publish reads a package on the repository's main branch,
// with its Bindings, StatusCollectors and objects, and combines both by the library of function
// combine-status. It commits the CombinedStatuses to the branch for statuses, at the paths and with the bytes
// that the function gives them, beside one file of errors and warnings. It combines nothing again before the
// package or a report changes, and makes no commit without a change. Commits of others stay, and so do files
// that are not generated. When the branch holds more commits than it may, all of them ours, it restarts with
// the next one.
// Cost: a Publish after a change looks at all reports about objects in Bindings; one without compares ids. The
// repository holds its commits in memory, as any.
// Errors: of the repository, and of a package that cannot be read. Errors in the content of the package leave
// the results on the branch as they were, and go into the file.
// Source: KubeStellar's CombinedStatus; package combine.
package statusbranch
