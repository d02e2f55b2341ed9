// Package text executes Go templates of users, and replaces text by regular expressions, within limits.
//
// Shape: Compile parses a template once; Execute gives a Text for data: the trimmed result, and whether a missing value was
// written into it. Templates can call sprig's functions for text, without those that read the clock, the environment, the
// network or random numbers, and sha3sum, sha3short and shortHash. Data are plain JSON values as Decode reads them, with
// exact whole numbers; only an Accessor has methods. A Pattern replaces what a regular expression matches. Templates and
// patterns draw from an Allowance. Both are safe for concurrent use and keep nothing from one use for the next.
//
// Missing values: a field that does not exist, and null, cannot be shown. Functions receive nil, so that default, coalesce,
// if and with work. When a template writes such a value, alone, within a list, or by a function that makes text of
// any value, Missing of the Text is true.
//
// Limits: a template may hold loops and call itself. Compile adds a call to every body of a loop and of a defined
// template, which draws the steps of that body. Every function is called through a wrapper that draws the size of its
// arguments and of its result, and refuses a result that would be too large before the call (cost.go). All values are
// trees: a function returns a copy, and set stores a copy in a dict. So no value grows after it was measured, and none
// contains itself.
// Cost: a name of a few fields takes some microseconds; all steps of an Allowance take at most about 0.1 s.
//
// Errors: a line, a column and a reason, never a value, because it may come from a Secret. So they have no messages of
// sprig, and of fail only those that are constants in the template.
// Source: Go's text/template; sprig's documentation of its functions.
package text
