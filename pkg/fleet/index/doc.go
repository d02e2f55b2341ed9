// Package index is a fleet as tables to look things up in: which cluster has which object of which policy, and what the
// object says there. The page and the graphs of `waybill fleet report` are drawn from it.
//
// Shape: Of takes a rendered tree and the Fleet read from it, and returns an Index; Compare adds what a preview says, and the
// clusters that it tells of. Everything is numbered, sorted, and the same for the same tree.
// Cost: every delivery is looked at once, and each text is parsed once, on all processors: about two seconds for a million
// deliveries with 100,000 texts. Memory is that of the different texts, and a few bytes for each delivery.
// Errors: those of package fleet, for a file that cannot be read.
// Secrets: values of Secrets are replaced before texts are compared, so that not even which clusters share one is told.
// Texts in flow style, such as JSON, are in block style.
// Source: ours; what is secret is said in package secret.
package index
