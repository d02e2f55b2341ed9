// Package bundling packs what Bindings send to clusters into OCM ManifestWorks. It holds the function bundle-manifestwork.
//
// Shape: one fn.Function. Bindings, the objects that they name and the inventory in; ManifestWorks out,
// in a folder for each cluster and Binding. A manifest keeps its author's order of fields and
// loses comments, aliases and style: its bytes depend on its data alone, and a diff of works shows what
// clusters receive.
// Cost: each object is transformed, measured, compiled and written once. A cluster adds only the
// values of its templates, which fill the gaps of the text when a work is written. The spec of a
// work becomes nodes only when a caller reads it. Works share nodes: do not edit one in place. Until works
// are written, they take the memory of the values.
// Errors: all results, at the Binding's entry or at the object; with any error no work changes.
// Source: KubeStellar's OCM transport controller for sharding, names and bodies; the OCM work API
// and webhook for limits.
package bundling
