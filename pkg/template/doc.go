// Package template has the common parts of both kinds of templates that users write: those in objects, which are filled
// in for each cluster (expansion), and single texts with sprig's functions (text).
//
// Shape: text/template parses. A Guard then adds calls of guards to the tree. They take from a budget at the start
// of each round of a loop and of each called template; the rest is counted in advance. So an endless template runs out of
// budget. Functions that make text are replaced by ones with a limit; Format is the analysis of a format of printf.
// Cost: a guard call for each round and each template that is called; a walk over the tree when a template is compiled.
// Errors: a Refusal is a limit that was reached. Its text quotes no value.
// Source: Go's text/template and text/template/parse. Why there are two kinds: docs/decisions/0014.
package template

import (
	"errors"
	"fmt"
)

// Refusal is a limit that a template reached. Its text holds no value.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

// Refuse is a Refusal as an error.
func Refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Refused is the Refusal that err is or wraps.
func Refused(err error) (*Refusal, bool) { return errors.AsType[*Refusal](err) }
