// Package transform makes of a workload object what may be sent to a cluster: without what only
// its origin knows (Clean), without what users want gone (Set), and ready for a work (Ship). It
// holds the function custom-transform, which does the first two in place.
//
// Shape: Clean and Set.Apply edit an object in place, so callers hand over a DeepCopy; Ship and
// Digest leave theirs alone. ParseSet compiles the CustomTransforms of a list once. The comments,
// key order and style of what stays are kept; aliases are written out before the first removal.
// Cost: one scan of the keys on the way to each field; nothing is decoded into Go values. The
// function copies only the objects it changes.
// Errors: only results: of ParseSet, each at its CustomTransform and field, and of the
// function, when a removal would make the next render differ. An object cannot fail: a path that
// leads nowhere does nothing.
// Source: KubeStellar's transport controller and its CustomTransform API.
package transform
