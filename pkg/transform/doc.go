// Package transform prepares a workload object for a cluster: without the fields of its cluster of origin (Clean), without
// what users remove (Set), and in the form of a work (Ship). It holds the function custom-transform, which does the first two
// in place.
//
// Shape: Clean and Set.Apply edit an object in place, so callers pass a DeepCopy; Ship and
// Digest do not change theirs. ParseSet compiles the CustomTransforms of a list once. The comments,
// key order and style of the other fields stay; aliases are expanded before the first removal.
// Cost: one scan of the keys on the way to each field; nothing is decoded into Go values. The
// function copies only the objects that it changes.
// Errors: only results: of ParseSet, each at its CustomTransform and field, and of the
// function, if a removal would change the next render. An object cannot fail: a path that
// does not exist has no effect.
// Source: KubeStellar's transport controller and its CustomTransform API.
package transform
