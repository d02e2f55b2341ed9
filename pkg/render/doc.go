// Package render turns a package into what its pipelines make of it.
//
// Shape: a pkgtree.Tree in, a Result with a new Tree out; pure but for what the functions do.
// Packages are rendered depth first: a package's pipeline sees its own resources, then those of
// its subpackages as their own pipelines left them; or, if the root Kptfile asks for it, from the
// root downwards. Packages that do not see each other are rendered at the same time, which shows in
// nothing but the time it takes. Mutators change the list in turn; validators look at it and change
// nothing. A file whose objects no function changed keeps its bytes; any other file is written as
// kpt writes it. Eval is the same for one function that no pipeline names, over any folder or a
// Stream from a pipe.
// Cost: one parse per resource file, one write per changed file; an unchanged object is one
// pointer from beginning to end.
// Errors: *Error names package, function and step and wraps the cause; nothing of the input is
// changed, and there is no tree, unless the root Kptfile asks to keep what was done by then.
// Source: kpt's rendering contract, with two deliberate differences: a function that returns nothing for
// something, or loses the root Kptfile, is an error.
package render
