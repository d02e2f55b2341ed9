// Package expression evaluates the CEL expressions of StatusCollectors.
//
// Shape: Compile turns text into an Expression, once; Eval gives the CEL value that the Expression
// makes of Vars. An Expression is safe for concurrent use and keeps nothing between two evaluations;
// Vars are for one goroutine, and filled anew for every row. The language is CEL's standard library
// and macros, nothing else, over obj, returned, inventory and propagation.
//
// Cost: an ordinary evaluation takes less than a microsecond and one or two allocations. Whoever
// writes the expression decides how much work it is, so everything is bounded, see limits.go. The
// library's own tracking of cost takes five times as long as an ordinary expression does; here only
// what can run away is charged, before it runs: loops by the length of what they go through times the
// size of their body (order.go), and operations on texts, lists, maps and patterns by the size of these
// (guard.go, attribute.go, price.go, regex.go). All else is done once for each part of the text.
//
// Maps are gone through in the order of their keys, where the library takes any.
// Errors: the library's words, after "failed to parse expression: ", "failed to check expression: "
// or "failed to evaluate expression: ", or which limit was passed.
// Source: CEL's language definition, and the variables of KubeStellar's StatusCollector.
package expression
