// Package bundling packs what Bindings send to clusters into OCM ManifestWorks.
//
// Shape: one fn.Function. Bindings, the objects they name and the inventory in; ManifestWorks out,
// in a folder for each cluster and Binding. A manifest keeps its author's order of fields and
// loses comments, aliases and style, so that its bytes depend on its data alone and a diff of
// works shows what clusters will see.
// Cost: each object is transformed, measured, compiled and written once. What a cluster adds is the
// values of its templates; they are put into the gaps of the text when a work is written, and a
// work becomes nodes only when somebody looks into its spec. Works share nodes: nobody may edit one
// in place. Memory is that of the values, until works are written.
// Errors: results at the Binding's entry or at the object, all of them, and then no work changes.
// Source: KubeStellar's OCM transport controller for sharding, names and bodies; the OCM work API
// and webhook for limits.
package bundling
