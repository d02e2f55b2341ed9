// Package injection copies values from context objects (a site, a cluster's network, for example) into the injection points of
// a package. It holds the function inject-config.
//
// Shape: Inject takes the objects of a package, injectors, and a Lister of
// context objects; it returns the objects that change, the outcome of every injection point, and
// the listed kinds. It does not change its input. Outcomes.Record writes the outcomes into the
// Kptfile: a condition per point, a readiness gate per required one. An injected value is plain
// data in key order, so that a context object from a file and the same one from a cluster give the
// same bytes. The function does this for a list of items that includes the context objects.
// Cost: one visit of every object; for each kind of point one List and one pass over the injectors.
// The size of all injected values is limited.
// Errors: one error names all invalid injection points of a package; the
// function has a result for each. A point without a context object is no error: it is an Outcome.
// Source: config injection of Porch's PackageVariants; Waybill also removes conditions of points that no longer exist.
package injection
