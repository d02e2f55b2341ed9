// Package fleet answers questions about a whole fleet: what every cluster receives, and what a change does to that.
//
// Shape: Read takes the tree of a rendered package and returns a Fleet: what each cluster receives, from the
// ManifestWorks in any folder and from the plain objects in clusters/<cluster>/. Compare takes two Fleets and returns every
// difference, by cluster and object; Preview groups them, the riskiest first. Pure: this package renders, reads and fetches
// nothing.
// Cost: Read scans a file once for where its manifests begin, at some gigabytes a second, or compares it with a work for another
// cluster or of the other side, which has most of the manifests. It keeps each text of a manifest once for all works of both sides.
// Compare skips files that are the same on both sides, and manifests that are. It parses only manifests whose texts differ, and
// compares each pair of contents once for all clusters that have it. Memory is that of the trees, which share equal files, the
// different manifests, and some hundred bytes for each work and each difference.
// Errors: *krm.ParseError for a file that cannot be read and has to be.
// Secrets: a Preview holds no values of Secrets, see package merge, and does not tell that two clusters have the same Secret.
// Source: ours; for where works go, the bundler's layout; OCM's API for what a ManifestWork is.
package fleet
