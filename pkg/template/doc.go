// Package template holds what is common to both kinds of text templates that anyone may write: those in objects
// (expansion), which are filled in for each cluster, and single texts (text) with sprig's functions.
//
// Shape: text/template parses. A Guard then puts calls of guards into the tree, which draw from a budget whenever a loop
// or a template that is called begins, and weighs the rest, so that a template cannot run away without running out of
// budget. Functions that make text are replaced by ones within bounds; a Format says what printf would make.
// Errors: a Refusal is a bound that was hit, in our own words. It quotes no value.
// Source: Go's text/template and text/template/parse. What each kind has to itself, and why: docs/decisions/0013.
package template

import (
	"errors"
	"fmt"
)

// Refusal is a bound that a template hit. Its text holds no value.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

// Refuse is a Refusal as an error.
func Refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Refused is the Refusal that err is or wraps.
func Refused(err error) (*Refusal, bool) { return errors.AsType[*Refusal](err) }
