// Package expression evaluates the CEL expressions of StatusCollectors.
//
// Shape: Compile turns text into an Expression, once; Eval evaluates it with Vars. An Expression is safe for concurrent use
// and keeps nothing between two evaluations; Vars are for one goroutine, and are set again for each row. The language is
// CEL's standard library and macros. The variables are those of KubeStellar (obj, returned, inventory, propagation) and
// manifest: what a ManifestWork says about the object.
// Cost: that of package cel, with its bounds for one expression.
// Errors: the words of the library after "failed to parse expression: ", "failed to check expression: " or "failed to
// evaluate expression: ", or the limit that was passed.
// Source: CEL's language definition, and the variables of KubeStellar's StatusCollector.
package expression
