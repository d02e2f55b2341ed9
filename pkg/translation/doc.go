// Package translation makes Translations of Nodes, Pods, Services and Endpoints: the function translate.
//
// Shape: items and options in; items with a Translation for every part of every object that has one,
// and Results out. Package midonet says what an object is to the backend; package correspond says what
// becomes of Translations that exist; here is what lies between the two: which objects count, which of
// them stand for a key, how a Translation is written, that no two hold one resource, that none goes
// while something stands on it, and what a pusher without a memory cannot carry out.
// Cost: linear in inputs and Translations: one conversion and one comparison for each.
// Errors: Results, each at the object that it is about, all at once. Faulty options, and more objects
// than one run may make, are errors of Run.
// Source: midonet-kubernetes' converters and its custom resource Translation.
package translation
