// Package template holds what is common to both kinds of text templates that anyone may write: those in objects
// (expansion), which are filled in for each cluster, and single texts (text) with sprig's functions.
//
// Shape: text/template parses. A Guard then puts calls of guards into the tree, which draw from a budget whenever a loop
// or a template that is called begins, and weighs the rest, so that a template cannot run away without running out of
// budget. Functions that make text are replaced by ones within bounds; a Format says what printf would make.
// Errors: a Refusal is a bound that was hit, in our own words. It quotes no value.
// Source: Go's text/template and text/template/parse.
package template
