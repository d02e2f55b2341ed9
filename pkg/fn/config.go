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
	case config.APIVersion() == "v1" && config.Kind() == "ConfigMap":
		errs := strayFields(config, "data", "immutable")
		return append(errs, decodeConfigMap(config.Lookup("data"), opts)...).ToAggregate()
	case config.Is(ConfigGroup, kind) && config.Version() == ConfigVersion:
		errs := strayFields(config, "spec")
		return append(errs, decodeSpec(config.Lookup("spec"), opts)...).ToAggregate()
	}
	return field.Invalid(field.NewPath("functionConfig", "kind"), config.APIVersion()+" "+config.Kind(),
		fmt.Sprintf("want v1 ConfigMap or %s/%s %s", ConfigGroup, ConfigVersion, kind))
}

// strayFields lists what stands beside the options: options put one level too high, or a misspelt
// "spec", would otherwise go unnoticed.
func strayFields(config *krm.Object, known ...string) (errs field.ErrorList) {
	known = append(known, "apiVersion", "kind", "metadata")
	for i := 0; i+1 < len(config.Node().Content); i += 2 {
		if key := config.Node().Content[i].Value; !slices.Contains(known, key) {
			errs = append(errs, field.Forbidden(field.NewPath(key), "unknown field; options stand under "+known[0]))
		}
	}
	return errs
}

func decodeSpec(spec *yaml.Node, opts any) field.ErrorList {
	if spec == nil || spec.ShortTag() == yaml.NodeTagNull {
		return nil
	}
	return krm.DecodeErrors(spec, field.NewPath("spec"), opts)
}
