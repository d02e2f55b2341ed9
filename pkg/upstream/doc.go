// Package upstream gets packages from Git repositories, and updates them from there.
//
// Shape: Get makes a package from a Source; Update updates a package and its subpackages with an upstream of
// their own; Diff lists the differences between a package and its upstream.
// MergeRendered merges so that changes by functions do not count as local edits. Packages are
// pkgtree.Trees, in and out; the caller stores them.
// Cost: each upstream is asked once for the commit of its ref, and for the commits that are not in the cache; for the
// rest see packages merge and render.
// Errors: those of gitrepo and merge, with the package in front. With an error there is no
// result, so that no update is half done.
// Source: kpt's documentation and behaviour for `pkg get` and `pkg update`; docs/pkg-differences.md lists what
// differs on purpose.
package upstream
