// Package explain answers questions about one cluster of a fleet: what it receives and why, why it receives an object or
// does not, and where the value of a field comes from.
//
// Shape: a World of packages that were rendered with render.Options.Trace, and a Question in; a
// *waybill.FleetExplanation out; Text puts that into words. Rendering only keeps what there was at each step. Everything
// else is worked out when somebody asks, for the one cluster and object, by asking the functions that decide about it
// again: they are pure, so the answer is what happened.
// Cost: that of binding and bundling for one cluster, once for all questions about it, and of comparing the versions of
// one object.
// Errors: a question that is none; *AmbiguousError for one that means several objects; what cannot be read. That something
// is not there is no error.
// Secrets: values of Secrets are "(hidden)", with what they are made of.
// Source: ours; KubeStellar's BindingPolicy for what selects what.
package explain
