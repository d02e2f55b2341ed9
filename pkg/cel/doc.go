// Package cel evaluates CEL within limits.
//
// Shape: New makes an Env of variables with their types and of other Options of one language. Compile
// turns text into a Program, once; Eval gives its value for some variables, and Plain makes plain JSON data
// of the value. An Env and its Programs are safe for concurrent use and keep nothing between two
// evaluations; variables are for one goroutine.
//
// Cost: an ordinary evaluation takes less than a microsecond and one or two allocations. Expressions
// may come from anyone, so every evaluation has a limit, see limits.go. The library's own tracking of
// cost takes five times as long as an ordinary expression; here only expensive operations are charged,
// before they run: loops by the length of their range times the weight of their body (loop.go,
// weight.go), and operations on texts, lists, maps and patterns by the size of these (guard.go, make.go,
// price.go, regex.go). All others happen once for each part of the expression, and are charged when an
// evaluation begins.
//
// Compiling has a limit, too. The library's checker writes types out in full wherever they occur, so that
// two hundred characters can keep it busy for hours; typing.go does the same steps with shared types,
// adds up their cost, and refuses an expression before the checker begins.
//
// Loops read maps in the order of their keys, where the library uses any order. Times with a time zone do
// not depend on that of the machine.
// Errors: a *Fault for errors of the library; ErrTypes, ErrCost, or the error of another limit; for an
// evaluation, the library's message. None quotes more than a few thousand bytes.
// Source: CEL's language definition.
package cel
