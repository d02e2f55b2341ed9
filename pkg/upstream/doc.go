// Package upstream takes packages from where they are published, and keeps them up with it.
//
// Shape: Get makes a package of what a Source has; Update brings a package, its subpackages with an upstream of
// their own included, to what upstream has become; Diff says what is different between the two.
// MergeRendered merges so that what functions changed is no local edit. Packages are
// pkgtree.Trees, in and out; where they are kept is the caller's business.
// Cost: each upstream is asked once for what its ref means, and for the commits that no cache has; for the
// rest see packages merge and render.
// Errors: those of gitrepo and merge, with the package they are about in front. With an error there is no
// result, so that nothing is half done.
// Source: kpt's documentation and behaviour for `pkg get` and `pkg update`; docs/pkg-differences.md lists what
// is different on purpose.
package upstream
