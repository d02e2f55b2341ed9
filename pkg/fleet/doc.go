// Package fleet answers questions about a whole fleet: what every cluster receives, and what a change does to that.
//
// Shape: Read takes the tree of a rendered package and returns a Fleet: for each cluster what is delivered to it, out of
// ManifestWorks wherever they lie, and out of plain objects under clusters/<cluster>/. Compare takes two Fleets and
// returns every difference, by cluster and object; Preview groups them, the riskiest first. Pure: nothing is rendered, read
// or fetched here.
// Cost: a file is scanned once for where its manifests begin, some gigabytes a second; files that are the same on
// both sides are skipped. Of the others only manifests whose bytes differ are parsed, and each pair of contents
// is compared once, in however many clusters it stands. Memory is that of the trees, which share equal files, and some
// hundred bytes for each difference.
// Errors: *krm.ParseError for a file that cannot be read and has to be.
// Secrets: a Preview holds no values of Secrets, see package merge, and does not tell that two clusters have the same Secret.
// Source: ours; for where works go, the bundler's layout; OCM's API for what a ManifestWork is.
package fleet
