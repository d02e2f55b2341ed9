// Package edit runs filters of kustomize and kyaml over items without letting them change what they
// were given, and reads the configs that kpt's function catalogue knows.
//
// Shape: a filter gets copies with aliases written out. An object that says the same afterwards is
// handed on as the very same pointer, so that its file keeps its bytes; one that changed keeps
// comments, key order and style of what stays (Settle).
// Cost: one copy and one comparison per object, of the fields that the filter reaches (Reach).
// Errors: what a filter says about an object is a result at that object, so that one run reports all
// of it. A config that cannot be read is an error that lists every fault with its path.
// Source: the KRM Functions Specification; the READMEs of krm-functions-catalog for the configs.
package edit
