// Package render runs a package through its pipelines.
//
// Shape: a pkgtree.Tree in, a Result with a new Tree out; pure except for what the functions do.
// Packages are rendered depth first: a package's pipeline sees its own resources, then those of
// its subpackages as their own pipelines returned them; or, if the root Kptfile asks for it, from the
// root downwards. Packages that do not see each other are rendered at the same time; the result does not
// depend on that. Mutators change the list one after another; validators read it and change
// nothing. A file whose objects no function changed keeps its bytes; any other file is written as
// kpt writes it. Eval does the same with one function that no pipeline names, over any folder or a
// Stream from a pipe. Package load, below, reads packages; package report writes what the functions reported.
// A function that asks for files of its package, see fn.Function.Files, gets them as they are at its step.
// Cost: one parse per resource file, one write per changed file; an unchanged object is one
// pointer from beginning to end.
// Errors: *Error names package, function and step and wraps the cause; the input is not
// changed, and there is no tree, unless the root Kptfile asks to keep what was done before the failure.
// Source: kpt's rendering contract, with two deliberate differences: it is an error when a function returns no
// item although it received some, or removes the root Kptfile.
package render
