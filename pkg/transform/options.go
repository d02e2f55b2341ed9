package transform

import (
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FunctionOptions are those of custom-transform.
type FunctionOptions struct {
	// Scope says which objects are changed: bound (the default), those that some Binding of the
	// list names, or all when the list has no Binding; or all.
	Scope string `json:"scope"`
	// Clean also applies the cleaning of Clean to every object in scope. Default false.
	Clean bool `json:"clean"`
	// OnError says what a path that cannot be read is: an error (the default), or warn, a warning.
	OnError string `json:"onError"`
}

// The words that options of a fixed choice take.
const (
	scopeBound, scopeAll      = "bound", "all"
	onErrorError, onErrorWarn = "error", "warn"
)

// readOptions reports every faulty option at once, each at its place in config.
func readOptions(config *krm.Object) (FunctionOptions, error) {
	opts := FunctionOptions{Scope: scopeBound, OnError: onErrorError}
	err := fn.DecodeConfig(config, configKind, &opts) // what cannot be read stays at its default
	errs := oneOf(optionPath(config, "scope"), opts.Scope, scopeBound, scopeAll)
	errs = append(errs, oneOf(optionPath(config, "onError"), opts.OnError, onErrorError, onErrorWarn)...)
	return opts, utilerrors.NewAggregate([]error{err, errs.ToAggregate()})
}

func oneOf(at *field.Path, word string, known ...string) field.ErrorList {
	for _, k := range known {
		if word == k {
			return nil
		}
	}
	return field.ErrorList{field.NotSupported(at, word, known)}
}

// optionPath is where an option stands in config, which may be missing.
func optionPath(config *krm.Object, option string) *field.Path {
	if config != nil && config.Kind() == "ConfigMap" {
		return field.NewPath("data", option)
	}
	return field.NewPath("spec", option)
}
