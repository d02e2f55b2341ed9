// Package publish pushes what every cluster of a rendered fleet receives to a registry: an artifact for each cluster or group, in the
// layout that Flux's OCIRepository takes.
//
// Shape: Contents takes the tree of an approved revision and returns the files of each artifact. A Publisher compares them with the
// index, an artifact that lists what the registry has, and pushes what differs. It moves the tag that clusters follow when all contents
// are there, and the tag of the index last. A Registry is all that it knows of the network.
// Cost: unchanged artifacts take no request. A changed one takes those of a push, twice a tag. Memory is that of the tree, once more for
// objects that are taken out of works.
// Errors: *OlderError if the registry has a revision that is not older, *MovedError if a cluster changes its group; those of the Registry.
// Crash safety: before the first tag moves, the index of the run is at the tag "<tag>.pending", with the names whose tags may move. The
// next run, of whatever revision, sets these tags again.
// Order: registries have no compare-and-swap. Two runs that overlap (three are not safe) notice each other by the pending index. The one
// whose repository does not know the other's revision as an ancestor gives way, and gives the other's artifacts back the tags that it may
// have moved.
// Source: ours; Flux's documentation, OCIRepository, for the layout.
package publish
