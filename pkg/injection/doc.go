// Package injection copies parts of context objects (a site, a cluster's network) into the
// places a package leaves open for them. It holds the function inject-config.
//
// Shape: Inject takes the objects of a package, the injectors of whoever asks and a Lister of
// context objects; it gives the objects that changed, what became of every injection point, and
// the kinds it listed. Nothing it was given is changed. Outcomes.Record writes the outcome into the
// Kptfile: a condition per point, a readiness gate per required one. What was injected is plain
// data in key order, so that a context object from a file and the same one from a cluster give the
// same bytes. The function does all of it to a list of items, with context objects among them.
// Cost: one look at every object; for each kind of point one List and one pass over the injectors.
// What is injected, all together, is bounded.
// Errors: a package whose injection points are wrong is one error that names all of them; the
// function has a result for each. A point that finds nothing to inject is no error: it is an Outcome.
// Source: config injection of Porch's PackageVariants; conditions of points that are gone go, too.
package injection
