package schema

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of kubeconform.
type Options struct {
	// IgnoreMissingSchemas passes objects of kinds that have no schema.
	IgnoreMissingSchemas bool `json:"ignore_missing_schemas"`
	// SkipKinds are kinds that are not validated.
	SkipKinds []string `json:"skip_kinds"`
	// Strict makes fields that the schema does not name a fault.
	Strict bool `json:"strict"`
}

func readOptions(config *krm.Object) (opts Options, err error) {
	if config == nil {
		return opts, nil
	}
	err = edit.Decode(config, configKind, &opts, func(entries []edit.Entry) (errs field.ErrorList) {
		for _, e := range entries {
			if fault := opts.set(e); fault != nil {
				errs = append(errs, fault)
			}
		}
		return errs
	})
	return opts, err
}

// set takes one option of a ConfigMap.
func (o *Options) set(e edit.Entry) *field.Error {
	flags := map[string]*bool{"ignore_missing_schemas": &o.IgnoreMissingSchemas, "strict": &o.Strict}
	switch flag := flags[e.Key]; {
	case e.Key == "schema_location" || e.Key == "additional_schema_locations":
		return field.Forbidden(e.At, "schemas are not fetched; put CustomResourceDefinitions into the package")
	case e.Key == "skip_kinds":
		for _, k := range strings.Split(e.Value, ",") {
			if k = strings.TrimSpace(k); k != "" {
				o.SkipKinds = append(o.SkipKinds, k)
			}
		}
	case flag == nil:
		return edit.Unknown(e, "ignore_missing_schemas, skip_kinds, strict")
	default:
		switch strings.ToLower(e.Value) {
		case "true", "1":
			*flag = true
		case "false", "0", "":
			*flag = false
		default:
			return field.Invalid(e.At, e.Value, "want true or false")
		}
	}
	return nil
}
