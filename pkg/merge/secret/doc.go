// Package secret decides which values of an object must not be printed. All code that prints values uses it.
//
// Shape: predicates on nodes and names. The data of a Secret is hidden, and so are its annotations except some known to be
// harmless, because tools store copies of whole objects in annotations. In objects of other kinds, annotations known to contain
// such a copy are hidden, and those that contain the text of a Secret.
// Cost: one walk over the object; MayContain rules out most objects by their text.
// Errors: none.
// Source: Kubernetes documentation, "Secrets"; for annotations, the documentation of the tools that write them.
package secret
