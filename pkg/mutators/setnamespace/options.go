package setnamespace

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of set-namespace.
type Options struct {
	// Namespace is the new namespace. Required.
	Namespace string `json:"namespace"`
	// NamespaceMatcher limits the run to objects in that namespace, now or upstream. Empty: all.
	NamespaceMatcher string `json:"namespaceMatcher"`
}

// packageContext is the name of the ConfigMap in which kpt keeps the name of a deployed package.
const packageContext = "kptfile.kpt.dev"

func readOptions(config *krm.Object) (Options, error) {
	var opts Options
	err := edit.Decode(config, configKind, &opts, func(entries []edit.Entry) field.ErrorList {
		return opts.fromData(entries, config.Name() == packageContext)
	})
	if err != nil {
		return opts, err
	}
	at := edit.OptionAt(config, "namespace")
	if opts.Namespace == "" {
		return opts, field.Required(at, "give the namespace")
	}
	if len(validation.IsDNS1123Label(opts.Namespace)) > 0 {
		return opts, field.Invalid(at, opts.Namespace, "want at most 63 lower-case letters, digits and dashes, no dash at either end")
	}
	return opts, nil
}

// fromData reads a ConfigMap. Of the package context, which kpt writes with keys of its own, name is the
// namespace unless it holds a namespace.
func (opts *Options) fromData(entries []edit.Entry, fromContext bool) (errs field.ErrorList) {
	for _, e := range entries {
		switch {
		case e.Key == "namespace" && e.Value != "":
			opts.Namespace = e.Value
		case e.Key == "namespace":
		case e.Key == "namespaceMatcher":
			opts.NamespaceMatcher = e.Value
		case !fromContext:
			errs = append(errs, edit.Unknown(e, "namespace, namespaceMatcher"))
		case e.Key == "name" && opts.Namespace == "":
			opts.Namespace = e.Value
		}
	}
	return errs
}
