package fn

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// ConfigGroup is the API group of the functions' own config kinds.
const ConfigGroup = "fn.waybill.dev"

// ConfigVersion is the version of the functions' own config kinds.
const ConfigVersion = "v1alpha1"

// DecodeConfig fills opts, a pointer to a struct of options that already holds the defaults, from
// a functionConfig: none at all, a v1 ConfigMap with every option as text under data, or an object
// of the given kind with typed options under spec. Every unknown option and every wrong value is
// reported at once, each with its path. In a ConfigMap lists are separated by newlines or ";".
func DecodeConfig(config *krm.Object, kind string, opts any) error {
	switch {
	case config == nil:
		return nil
	case IsConfigMap(config):
		errs := UnknownFields(config, "options belong under data", "data", "immutable")
		return append(errs, decodeConfigMap(config.Lookup("data"), opts)...).ToAggregate()
	case config.Is(ConfigGroup, kind) && config.Version() == ConfigVersion:
		errs := UnknownFields(config, "options belong under spec", "spec")
		return append(errs, decodeSpec(config.Lookup("spec"), opts)...).ToAggregate()
	}
	return WrongKind(config, fmt.Sprintf("v1 ConfigMap or %s/%s %s", ConfigGroup, ConfigVersion, kind))
}

// IsConfigMap reports whether config is a v1 ConfigMap.
func IsConfigMap(config *krm.Object) bool {
	return config.APIVersion() == "v1" && config.Kind() == "ConfigMap"
}

// WrongKind is the error for a functionConfig of a kind that a function does not read.
func WrongKind(config *krm.Object, want string) error {
	return field.Invalid(field.NewPath("functionConfig", "kind"), config.APIVersion()+" "+config.Kind(), "want "+want)
}

// UnknownFields reports outermost fields of config beside apiVersion, kind, metadata and those known. Without it, options
// one level too high, or a misspelt "spec", would be ignored.
func UnknownFields(config *krm.Object, hint string, known ...string) (errs field.ErrorList) {
	known = append(known, "apiVersion", "kind", "metadata")
	for key := range krm.Fields(config.Node()) {
		if !slices.Contains(known, key.Value) {
			errs = append(errs, field.Forbidden(field.NewPath(key.Value), "unknown field; "+hint))
		}
	}
	return errs
}

func decodeSpec(spec *yaml.Node, opts any) field.ErrorList {
	if spec == nil || krm.IsNull(spec) {
		return nil
	}
	return krm.DecodeErrors(spec, field.NewPath("spec"), opts)
}
