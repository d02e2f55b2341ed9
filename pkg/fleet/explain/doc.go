// Package explain answers questions about one cluster of a fleet: what it receives and why, why it receives an object or
// does not, and where the value of a field comes from.
//
// Shape: a Snapshot of packages that were rendered with render.Options.Trace, and a Question in; a
// *waybill.FleetExplanation out; Text writes that for people. Rendering only keeps the objects of each step. Explain
// computes the rest for one cluster and object: it calls the functions that decided again. They are pure, so they decide
// the same.
// Cost: that of binding and bundling for one cluster, once for all questions about it, and of comparing the versions of
// one object.
// Errors: a question that cannot be parsed; *AmbiguousError for one that means several objects; files that cannot be read. A missing
// object is no error.
// Secrets: values of Secrets, and the inputs that they are made of, are "(hidden)".
// Source: ours; KubeStellar's BindingPolicy for what selects what.
package explain
