// Package bundling packs what Bindings send to clusters into OCM ManifestWorks.
//
// Shape: one fn.Function. Bindings, the objects they name and the inventory in; ManifestWorks out,
// in a folder for each cluster and Binding. A manifest keeps its author's order of fields and
// loses comments, aliases and style, so that its bytes depend on its data alone and a diff of
// works shows what clusters will see.
// Cost: each object is transformed, measured and compiled once. Where no object of a Binding is a
// template the bodies of its works are made once and their nodes shared by all clusters; where
// some are, a cluster costs the expansion and measure of those. Nobody may edit a work in place.
// Errors: results at the Binding's entry or at the object, all of them, and then no work changes.
// Source: KubeStellar's OCM transport controller for sharding, names and bodies; the OCM work API
// and webhook for limits.
package bundling
