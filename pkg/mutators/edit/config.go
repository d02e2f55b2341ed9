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
		return Missing(kind)
	case fn.IsConfigMap(config):
		entries, errs := Data(config)
		return append(errs, fromData(entries)...).ToAggregate()
	case IsConfig(config, kind):
		return krm.DecodeNode(fieldsOf(config), nil, opts)
	}
	return WrongKind(config, kind)
}

// NoOptions refuses the options of a function that has none.
func NoOptions(config *krm.Object, kind string) error {
	if config == nil {
		return nil
	}
	return Decode(config, kind, &struct{}{}, func(entries []Entry) (errs field.ErrorList) {
		for _, e := range entries {
			errs = append(errs, field.Forbidden(e.At, "the function has no options"))
		}
		return errs
	})
}

// Missing is the error for a functionConfig that must be there.
func Missing(kind string) error {
	return field.Required(field.NewPath("functionConfig"), "give a v1 ConfigMap, or an object of kind "+kind)
}

// WrongKind is the error for a functionConfig that is neither a v1 ConfigMap nor of the function's own kind.
func WrongKind(config *krm.Object, kind string) error {
	want := fmt.Sprintf("v1 ConfigMap, %s/%s %s or %s/%[2]s %[3]s", CatalogueGroup, fn.ConfigVersion, kind, fn.ConfigGroup)
	return fn.WrongKind(config, want)
}

// IsConfig reports whether config is of a function's own kind, in the catalogue's group or in ours.
func IsConfig(config *krm.Object, kind string) bool {
	return config.Version() == fn.ConfigVersion && (config.Is(CatalogueGroup, kind) || config.Is(fn.ConfigGroup, kind))
}

// KindOf is the kind for Decode of a function whose kind has an old name, too.
func KindOf(config *krm.Object, kind, old string) string {
	if config != nil && IsConfig(config, old) {
		return old
	}
	return kind
}

// Data is the data of a ConfigMap, in the order it is written, and what is wrong with it: values
// that are no text, and fields beside data, which are options one level too high.
func Data(config *krm.Object) (entries []Entry, errs field.ErrorList) {
	errs = fn.UnknownFields(config, "options belong under data", "data", "immutable")
	data, at := config.Lookup("data"), field.NewPath("data")
	if data != nil && !krm.IsNull(data) && !krm.IsMap(data) {
		return nil, append(errs, field.TypeInvalid(at, field.OmitValueType{}, "want a map of text to text"))
	}
	for key, value := range krm.Fields(data) {
		at, value := at.Key(key.Value), krm.Deref(value)
		if value.Kind != yaml.ScalarNode || krm.IsNull(value) {
			errs = append(errs, field.TypeInvalid(at, field.OmitValueType{}, "want text"))
			continue
		}
		entries = append(entries, Entry{Key: key.Value, Value: value.Value, At: at})
	}
	return entries, errs
}

// fieldsOf is config without the fields that every object has.
func fieldsOf(config *krm.Object) *yaml.Node {
	fields := *config.Node()
	fields.Content = slices.Clone(fields.Content)
	for _, common := range []string{"apiVersion", "kind", "metadata"} {
		krm.RemoveField(&fields, common)
	}
	return &fields
}

// Assign sets options from the entries of their names; known lists the names in messages.
func Assign(entries []Entry, known string, options map[string]*string) (errs field.ErrorList) {
	for _, e := range entries {
		if option := options[e.Key]; option != nil {
			*option = e.Value
		} else {
			errs = append(errs, Unknown(e, known))
		}
	}
	return errs
}

// Unknown is the fault of an entry that is no option.
func Unknown(e Entry, known string) *field.Error {
	return field.Forbidden(e.At, "unknown option; known are "+known)
}
