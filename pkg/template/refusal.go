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
