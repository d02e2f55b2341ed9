package edit

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// FieldError is the fault of a field of an object.
type FieldError struct {
	Path string // spec.template, or [key] for an entry of a map
	Err  error
}

func (e *FieldError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FieldError) Unwrap() error { return e.Err }

// Fault is a FieldError of one line that says why.
func Fault(path, why string) error { return &FieldError{path, errors.New(why)} }

// below is err with path before its own.
func below(path string, err error) error {
	if inner, ok := errors.AsType[*FieldError](err); ok {
		if strings.HasPrefix(inner.Path, "[") {
			return &FieldError{path + inner.Path, inner.Err}
		}
		return &FieldError{path + "." + inner.Path, inner.Err}
	}
	return &FieldError{path, err}
}

// locate separates the field that err names from its message.
func locate(err error) (*field.Path, error) {
	if at, ok := errors.AsType[*FieldError](err); ok {
		return field.NewPath(at.Path), at.Err
	}
	return nil, err
}

// oneLine is err on one line without the part of the object that kyaml quotes, which may be a secret.
func oneLine(err error) error {
	text, _, _ := strings.Cut(err.Error(), ": node contents:")
	return errors.New(strings.ReplaceAll(strings.TrimSpace(text), "\n", " "))
}
