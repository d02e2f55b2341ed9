// Package expression evaluates the CEL expressions in the templates of a PackageVariantSet.
//
// Shape: Compile turns text into a Program, once; Eval gives the string that the Program makes of
// Vars. A Program is safe for concurrent use and keeps nothing between two evaluations; Vars are for one
// goroutine. The language is CEL's standard library and nothing else, with homogeneous aggregate
// literals and UTC; results are strings.
// Cost: compiling takes about ten microseconds, an ordinary evaluation less than one. The bounds are those of pkg/cel, and one for
// what an expression may cost by its text alone.
// Errors: the library's text on one line, or which limit was exceeded.
// Source: CEL's language definition, and the expressions of Porch's PackageVariantSet.
package expression
