package transform

import (
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FunctionOptions are those of custom-transform.
type FunctionOptions struct {
	// Scope says which objects the function changes: bound (the default), those that some Binding of the
	// list names, or all if the list has no Binding; or all.
	Scope string `json:"scope"`
	// Clean also applies Clean to every object in scope. Defaults to false.
	Clean bool `json:"clean"`
	// OnError says whether a path that cannot be read is an error (error, the default) or a warning (warn).
	OnError string `json:"onError"`
}

// The values of options with a fixed choice.
const (
	scopeBound, scopeAll      = "bound", "all"
	onErrorError, onErrorWarn = "error", "warn"
)

// readOptions reports every invalid option at once, each at its path in config.
func readOptions(config *krm.Object) (FunctionOptions, error) {
	opts := FunctionOptions{Scope: scopeBound, OnError: onErrorError}
	err := fn.DecodeConfig(config, configKind, &opts) // an option that cannot be read keeps its default
	at := fn.OptionsPath(config)
	errs := fn.OneOf(at.Child("scope"), opts.Scope, scopeBound, scopeAll)
	errs = append(errs, fn.OneOf(at.Child("onError"), opts.OnError, onErrorError, onErrorWarn)...)
	return opts, utilerrors.NewAggregate([]error{err, errs.ToAggregate()})
}
