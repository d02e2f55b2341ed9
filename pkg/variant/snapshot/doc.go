// Package snapshot says what the Git repositories of a namespace hold at one time, as far as PackageVariants depend on it.
//
// Shape: Open opens the repository of a Repository object; Read lists its revisions, by package, by owner and by ref. A Change
// is what differs between two lists, an Overlap says that two Repository objects show the same revisions, and Claims are what
// all PackageVariants of a namespace want of the revisions of one.
// Cost: Read is one listing of the refs and linear in revisions; the content of a revision is read when it is asked for.
// Errors: those of packages gitrepo and revision.
package snapshot
