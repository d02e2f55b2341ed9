// Package branch keeps what clusters report, combined, on a branch of a Git repository.
//
// Shape: a Keeper is told of reports as they come and go. A Pass reads a package on the repository's main
// branch, with its Bindings, StatusCollectors and objects, and has function combine-status' library look at
// both; the CombinedStatuses become files of a commit on the branch for statuses, at the paths and with the
// bytes that the function gives them, beside one file that says what is wrong. What was combined is not
// combined again until the package or a report changes, and no commit is made without a change. Commits of
// others stay, and so do files that are not ours. When the branch holds more commits than are to be kept,
// all of them ours, the next one begins it anew.
// Cost: a pass after a change is a look at all reports about what Bindings name; one without is a comparison
// of ids. The repository keeps what was committed in memory, as any.
// Errors: of the repository, of a package that cannot be read. What is wrong with what stands in the package
// leaves the results on the branch as they were, and goes into the file.
// Source: KubeStellar's CombinedStatus; package combine.
package branch
