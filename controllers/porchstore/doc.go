// Package porchstore keeps the package revisions of one repository behind Porch's API server, as PackageRevisions and
// PackageRevisionResources.
//
// Shape: a Store is a snapshot.Store: it lists PackageRevisions into memory, and writes a draft as one PackageRevision with the
// task that Porch can carry out, and one update of its resources with the content. resourceVersion makes writes
// compare-and-swap. What Git keeps in commit messages is in one annotation; a digest of the content in another one tells edits by
// others. The owner is an owner reference as well if the PackageVariant exists in the cluster.
// Porch 1.5.3 with its CR cache reads its clone of a repository while it changes it: it forgets revisions now and then, finds them again
// without metadata, shows older commits, and puts metadata back that was replaced. A Store makes one request at a time. While it writes,
// and for quietAfter, it believes its memory; then it reads again what it wrote, and restores what is lost, unless a write did before.
// What Porch lists no more stays known without its files: Porch may have forgotten it, and a new draft might replace it.
// Cost: a list at first, and the files of each draft and each latest revision that has an owner; after that, what changed. A
// draft is two requests, an update of one two as well. Files are kept while their revision does not change and has no successor.
// Errors: those of package snapshot's Store. An answer that lacks a revision which was there is not believed: the revision is asked
// for by its name.
// Source: Porch 1.5.3, API group porch.kpt.dev/v1alpha1.
package porchstore
