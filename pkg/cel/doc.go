// Package cel evaluates CEL within bounds.
//
// Shape: New makes an Env of variables with their types and of what else belongs to the language of
// one user of this room. Compile turns text into a Program, once; Eval gives the CEL value that the
// Program makes of variables. Plain makes plain JSON data of such a value. An Env and its Programs are
// safe for concurrent use and keep nothing between two evaluations; variables are for one goroutine.
//
// Cost: an ordinary evaluation takes less than a microsecond and one or two allocations. Whoever
// writes the expression decides how much work it is, so everything is bounded, see limits.go. The
// library's own tracking of cost takes five times as long as an ordinary expression does; here only
// what can run away is charged, before it runs: loops by the length of what they go through times the
// weight of their body (loop.go, weight.go), and operations on texts, lists, maps and patterns by the
// size of these (guard.go, make.go, price.go, regex.go). All else is done once for each part of the
// text, and charged when an evaluation begins.
//
// Compiling is bounded, too. The library's checker writes types out in full wherever they come up, so
// that two hundred characters can keep it busy for hours; typing.go goes through the same steps with
// types that are shared, adds up what they would take, and refuses before the checker begins.
//
// Maps are gone through in the order of their keys, where the library takes any. What a text is in a
// time zone does not depend on the machine's.
// Errors: a *Fault where the library found one; ErrTypes and ErrCost, or which other limit was passed;
// of an evaluation the library's words. None quotes more than a few thousand bytes.
// Source: CEL's language definition.
package cel
