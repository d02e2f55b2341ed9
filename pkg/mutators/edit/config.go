package edit

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// CatalogueGroup is the API group of the catalogue's own config kinds, in the same version as ours.
const CatalogueGroup = "fn.kpt.dev"

// Entry is one pair of a ConfigMap's data and where it stands.
type Entry struct {
	Key, Value string
	At         *field.Path
}

// Decode fills opts, a pointer to a struct, from a functionConfig that must be there: an object of
// the given kind in the catalogue's group or in ours, whose fields stand beside metadata as the
// catalogue has them; or a v1 ConfigMap, whose data goes to fromData in the order it is written.
// Every unknown field and every wrong value is reported at once, each with its path.
func Decode(config *krm.Object, kind string, opts any, fromData func([]Entry) field.ErrorList) error {
	switch {
	case config == nil:
		return field.Required(field.NewPath("functionConfig"), "give a v1 ConfigMap, or an object of kind "+kind)
	case IsConfigMap(config):
		entries, errs := Data(config)
		return append(errs, fromData(entries)...).ToAggregate()
	case IsConfig(config, kind):
		return krm.DecodeNode(fieldsOf(config), nil, opts)
	}
	return field.Invalid(field.NewPath("functionConfig", "kind"), config.APIVersion()+" "+config.Kind(),
		fmt.Sprintf("want v1 ConfigMap, %s/%s %s or %s/%s %s", CatalogueGroup, fn.ConfigVersion, kind, fn.ConfigGroup, fn.ConfigVersion, kind))
}

// IsConfigMap reports whether config is a v1 ConfigMap.
func IsConfigMap(config *krm.Object) bool {
	return config.APIVersion() == "v1" && config.Kind() == "ConfigMap"
}

// IsConfig reports whether config is of a function's own kind, in the catalogue's group or in ours.
func IsConfig(config *krm.Object, kind string) bool {
	return config.Version() == fn.ConfigVersion && (config.Is(CatalogueGroup, kind) || config.Is(fn.ConfigGroup, kind))
}

// Data is the data of a ConfigMap, in the order it is written, and what is wrong with it: values
// that are no text, and fields beside data, which are options put one level too high.
func Data(config *krm.Object) (entries []Entry, errs field.ErrorList) {
	errs = strayFields(config)
	data, at := config.Lookup("data"), field.NewPath("data")
	switch {
	case data == nil || data.ShortTag() == yaml.NodeTagNull:
		return nil, errs
	case data.Kind != yaml.MappingNode:
		return nil, append(errs, field.TypeInvalid(at, field.OmitValueType{}, "want a map of text to text"))
	}
	for i := 0; i+1 < len(data.Content); i += 2 {
		key, value := data.Content[i].Value, krm.Deref(data.Content[i+1])
		if value.Kind != yaml.ScalarNode || value.ShortTag() == yaml.NodeTagNull {
			errs = append(errs, field.TypeInvalid(at.Key(key), field.OmitValueType{}, "want text"))
			continue
		}
		entries = append(entries, Entry{Key: key, Value: value.Value, At: at.Key(key)})
	}
	return entries, errs
}

func strayFields(config *krm.Object) (errs field.ErrorList) {
	known := []string{"apiVersion", "kind", "metadata", "data", "immutable"}
	for i := 0; i+1 < len(config.Node().Content); i += 2 {
		if key := config.Node().Content[i].Value; !slices.Contains(known, key) {
			errs = append(errs, field.Forbidden(field.NewPath(key), "unknown field; options stand under data"))
		}
	}
	return errs
}

// fieldsOf is config without what every object has.
func fieldsOf(config *krm.Object) *yaml.Node {
	fields := *config.Node()
	fields.Content = slices.Clone(fields.Content)
	for _, common := range []string{"apiVersion", "kind", "metadata"} {
		krm.RemoveField(&fields, common)
	}
	return &fields
}

// Unknown is the fault of an entry that is no option.
func Unknown(e Entry, known string) *field.Error {
	return field.Forbidden(e.At, "unknown option; known are "+known)
}
