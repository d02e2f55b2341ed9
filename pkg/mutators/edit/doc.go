// Package edit runs filters of kustomize and kyaml over copies of items, and reads the configs of kpt's function catalogue.
//
// Shape: a filter gets copies without aliases. An object with the same data afterwards is passed on as the very same
// pointer, so that its file keeps its bytes; a changed one keeps the comments, key order and style of the fields that stay
// (RestoreForm).
// Cost: one copy and one comparison per object, of the fields that the filter reaches (Reach).
// Errors: an error of a filter is a result at its object, so that one run reports all of them. A config that cannot be
// read is an error that lists every fault with its path.
// Source: the KRM Functions Specification; the READMEs of krm-functions-catalog for the configs.
package edit
