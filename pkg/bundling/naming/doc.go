// Package naming is what works and their files are called, and what a name says about its work.
//
// Shape: an Origin, which all works of a Binding share, and a number or an object in; the name of a work or of its file out,
// and back. Names depend on nothing else, so that a later run finds the works of an earlier one by them.
// Cost: one hash for each name. Errors: none.
// Source: KubeStellar's OCM transport controller for names, labels and annotations.
package naming
