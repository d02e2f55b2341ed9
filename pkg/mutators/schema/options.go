package schema

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
	"github.com/waybill-dev/waybill/pkg/mutators/schema/kubernetes"
)

// Options are those of kubeconform.
type Options struct {
	// IgnoreMissingSchemas passes objects of kinds that have no schema.
	IgnoreMissingSchemas bool `json:"ignore_missing_schemas"`
	// SkipKinds are kinds that are not validated.
	SkipKinds []string `json:"skip_kinds"`
	// Strict makes fields that the schema does not name a fault.
	Strict bool `json:"strict"`
	// KubernetesVersion is the minor release whose schemas apply, such as 1.36. Empty: for each kind, the newest that has it.
	KubernetesVersion string `json:"kubernetes_version"`
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
	if err == nil {
		err = opts.checkVersion(edit.OptionAt(config, "kubernetes_version"))
	}
	return opts, err
}

// checkVersion reduces the version to its minor, and refuses one without schemas.
func (o *Options) checkVersion(at *field.Path) error {
	if o.KubernetesVersion == "" {
		return nil
	}
	given := o.KubernetesVersion
	part := strings.SplitN(strings.TrimPrefix(given, "v"), ".", 3)
	o.KubernetesVersion = strings.Join(part[:min(len(part), 2)], ".")
	if minors := kubernetes.Minors(); !slices.Contains(minors, o.KubernetesVersion) {
		return field.NotSupported(at, given, minors)
	}
	return nil
}

// set takes one option of a ConfigMap.
func (o *Options) set(e edit.Entry) *field.Error {
	flags := map[string]*bool{"ignore_missing_schemas": &o.IgnoreMissingSchemas, "strict": &o.Strict}
	switch flag := flags[e.Key]; {
	case e.Key == "schema_location" || e.Key == "additional_schema_locations":
		return field.Forbidden(e.At, "schemas are not fetched; put CustomResourceDefinitions into the package, or run the catalogue's image "+
			"in a container (--runtime)")
	case e.Key == "kubernetes_version":
		o.KubernetesVersion = e.Value
	case e.Key == "skip_kinds":
		o.SkipKinds = edit.SplitList(e.Value)
	case flag == nil:
		return edit.Unknown(e, "ignore_missing_schemas, skip_kinds, strict, kubernetes_version")
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
