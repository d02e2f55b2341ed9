package kptfile

import (
	"fmt"
	"path"
	"strings"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
)

// InvalidError names the invalid field of a pipeline and the reason, with the text of kpt.
type InvalidError struct{ v1.ValidateError }

// Error returns the lines "Kptfile is invalid:", Field, Value if there is one, and Reason.
func (e *InvalidError) Error() string { return strings.TrimSuffix(e.ValidateError.Error(), "\n") }

// ValidatePipeline returns an *InvalidError for the first function that cannot run, mutators before
// validators. It does not open the files that configPath names.
func (f *File) ValidatePipeline() error {
	for _, list := range Lists {
		for i, fn := range f.Functions(list) {
			at := fmt.Sprintf("pipeline.%s[%d]", list, i)
			if err := validateFunction(at, &fn); err != nil {
				return err
			}
		}
	}
	return nil
}

func validateFunction(at string, fn *v1.Function) error {
	invalid := func(field, value, reason string) error {
		return &InvalidError{v1.ValidateError{Field: field, Value: value, Reason: reason}}
	}
	switch {
	case fn.Image == "" && fn.Exec == "":
		return invalid(at, "", "must specify a functon (`image` or `exec`) to execute")
	case fn.Image != "" && fn.Exec != "":
		return invalid(at, "", "must not specify both `image` and `exec` at the same time")
	}
	if fn.Image != "" {
		if err := v1.ValidateFunctionImageURL(fn.Image); err != nil {
			return invalid(at+".image", fn.Image, err.Error())
		}
	}
	if len(fn.ConfigMap) > 0 && fn.ConfigPath != "" {
		return invalid(at, "", "functionConfig must not specify both `configMap` and `configPath` at the same time")
	}
	if reason := badConfigPath(fn.ConfigPath); reason != "" {
		return invalid(at+".configPath", fn.ConfigPath, reason)
	}
	return nil
}

// badConfigPath returns the fault of a configPath, "" if there is none.
func badConfigPath(p string) string {
	switch {
	case p == "":
		return ""
	case strings.TrimSpace(p) == "":
		return "path must not be empty"
	case path.IsAbs(p):
		return "path must be relative"
	case strings.Contains(p, ".."):
		return "path must not be outside the package"
	}
	return ""
}
