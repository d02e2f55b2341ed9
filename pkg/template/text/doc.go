// Package text fills in Go templates that anybody may have written, and replaces by patterns, within bounds.
//
// Shape: Compile makes a Template of its text, once; Execute gives a Text for data: what was written, trimmed, and
// whether a missing value was written into it. The functions are sprig's for text, without those that look at the
// clock, the environment, the network or chance, and sha3sum, sha3short and shortHash. Data are plain JSON values, as
// Decode reads them, in which whole numbers are exact; an Accessor is the only thing with methods. A Pattern replaces
// what a regular expression matches. All of them draw from an Allowance. A Template and a Pattern are safe for
// concurrent use and keep nothing from one use for the next.
//
// Missing values: a field that is not there, and null, is nothing that a text can show. Functions see it as nil, so
// that default, coalesce, if and with do what they are for. Where one would be written all the same, alone, within a
// list, or by a function that makes text of anything, the Text says so; whatever else the text holds does not matter.
//
// Bounds: a template may hold loops and call itself. Before it first runs, a call is put into every body of a loop
// and of a defined template that draws its steps; every function is called by way of another that draws what its
// arguments and its result weigh, and that refuses what would become too large before it is made (price.go). All
// values are trees: what a function gives is a copy, what set puts into a dict is one, too, so that nothing grows behind
// the back of what was weighed, and nothing holds itself.
// Cost: a name of a few fields takes some microseconds; all steps of an Allowance take about a tenth of a second at worst.
//
// Errors: where in the template, and why; never a value, because it may be a Secret's. What a function of the library
// says is left out for that reason, and what fail says, unless it stands in the template as it is.
// Source: Go's text/template; sprig's function documentation.
package text
