// Package statusbranch publishes what clusters report, combined, on a branch of a Git repository.
//
// Shape: the caller puts reports into a Publisher. Publish reads a package from the repository's main branch (Bindings,
// StatusCollectors and objects), and combines it with the reports, as function combine-status does. It commits the
// CombinedStatuses to another branch, at the same paths and with the same bytes as the function, and one file of errors and
// warnings beside them. It combines again only after the package or a report changed, and commits only changes. Commits by
// other clients stay, and so do files that are not generated. When the branch holds more commits than the options allow, and
// all of them are ours, it restarts with the next commit.
// Cost: after a change, Publish looks at all reports about objects in Bindings; without one it compares ids. The repository
// holds its commits in memory, as any.
// Errors: of the repository, and of a package that cannot be read. Errors in the content of the package go into the file, and
// the results on the branch stay as they were.
// Source: KubeStellar's CombinedStatus; package combine.
package statusbranch
