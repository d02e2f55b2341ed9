// Package expression evaluates the CEL expressions in the templates of a PackageVariantSet.
//
// Shape: Compile turns text into a Program, once; Eval gives the string that the Program makes of
// Vars. A Program is safe for concurrent use and keeps nothing between two evaluations.
// The language is CEL's standard library and nothing else, with homogeneous aggregate literals and
// UTC; results are strings.
// Cost: compiling takes some ten microseconds, an ordinary evaluation one or two. Whoever writes
// the expression decides how much work it is, so everything is bounded, see limits.go. The library
// charges for an operation after it is done and takes some as free that are not; guard.go
// refuses those before they are done and price.go charges for them.
// Errors: the library's words on one line, or which limit was passed.
// Source: CEL's language definition, and the expressions of Porch's PackageVariantSet.
package expression
