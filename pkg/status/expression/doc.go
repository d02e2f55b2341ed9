// Package expression evaluates the CEL expressions of StatusCollectors.
//
// Shape: Compile turns text into an Expression, once; Eval gives the CEL value that the Expression
// makes of Vars. An Expression is safe for concurrent use and keeps nothing between two evaluations;
// Vars are for one goroutine, and filled anew for every row. The language is CEL's standard library
// and macros, nothing else, over obj, returned, inventory and propagation, which are KubeStellar's, and
// manifest, which is not: what a ManifestWork says about the object.
//
// Cost: that of the room it is made of, pkg/cel, with its bounds for one expression.
// Errors: the library's words, after "failed to parse expression: ", "failed to check expression: "
// or "failed to evaluate expression: ", or which limit was passed.
// Source: CEL's language definition, and the variables of KubeStellar's StatusCollector.
package expression
