// Package engine executes the templates of Helm charts, within bounds and without looking outside.
//
// Shape: Compile parses the files of a chart and of its dependencies once; Render of the Templates fills them in with values,
// any number of times, also in several goroutines at once. Functions, their results, the order of files and which define wins
// are those of Helm 4.3. The values that Render is given are copied, so that set and merge in a template change no values of the caller.
//
// Pure: the same files, values and Options give the same bytes. keys and values are in order. Times are in UTC. lookup finds
// nothing and getHostByName gives "", as in helm template. Functions that draw random numbers, make keys or read the clock are
// refused, unless Options have a Seed or Now; those that cannot be seeded (certificates, private keys, bcrypt) always are.
//
// Limits: Compile adds a call to every body of a loop and of a template, which draws the steps of that body. Every function is
// called through a wrapper that draws the size of what it reads, and refuses a result that would be too large before the call.
// Values may contain themselves, as Helm allows; a function that would read such a value to its end is refused. A text for tpl
// is parsed within the same budget and guarded in the same way; parsed texts are kept for the next Render.
// Cost: parsing about 0.1 µs a byte, once; a call of a function about 1 µs. All steps of one Render take about half a second.
//
// Errors: an *Error has file, line, column, the templates that called it, and what to do. It shows the messages of fail and
// required; texts that other functions quote are left out, because they may come from a Secret.
// Source: Go's text/template; Helm's documentation, "Template Functions and Pipelines", "Accessing Files Inside Templates";
// sprig's documentation of its functions. Why not Helm's own engine: docs/decisions/0023.
package engine
