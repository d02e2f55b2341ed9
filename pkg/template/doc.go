// Package template holds what is common to both kinds of templates that users write: those in objects, which are filled
// in for each cluster (expansion), and single texts with sprig's functions (text).
//
// Shape: text/template parses. A Guard then adds calls of guards to the tree. They draw from a budget whenever a round of a
// loop begins, or a template that is called; the rest is counted in advance. So a template that runs away runs out of
// budget. Functions that make text are replaced by bounded ones; a Format tells what printf would make.
// Errors: a Refusal is a bound that was hit. Its text quotes no value.
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
