package starlark

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// script is what the config says.
type script struct {
	name   string // of the config, for messages
	source string
	config *yaml.Node // the whole config, which scripts read their parameters from
	at     *field.Path
}

// longest keeps scripts from nesting so deeply that to read one takes more stack than there is.
const longest = 128 << 10

func readScript(config *krm.Object) (s script, err error) {
	if config == nil {
		return s, field.Required(field.NewPath("functionConfig"), "give a v1 ConfigMap, or an object of kind "+configKind)
	}
	c := edit.Copy(config)
	s = script{name: cmp.Or(c.Name(), "script"), config: c.Node(), at: field.NewPath("source")}
	var errs field.ErrorList
	switch {
	case edit.IsConfigMap(config):
		s.at = field.NewPath("data", "source")
		var entries []edit.Entry
		entries, errs = edit.Data(config)
		s.source = edit.Texts(entries)["source"]
	case edit.IsConfig(config, configKind):
		errs = checkFields(c)
		s.source = c.String("source")
	default:
		return s, field.Invalid(field.NewPath("functionConfig", "kind"), config.APIVersion()+" "+config.Kind(),
			fmt.Sprintf("want v1 ConfigMap, %s/%s %s or %s/%s %s", edit.CatalogueGroup, fn.ConfigVersion, configKind, fn.ConfigGroup,
				fn.ConfigVersion, configKind))
	}
	switch {
	case len(errs) > 0:
	case s.source == "":
		errs = append(errs, field.Required(s.at, "give a script"))
	case len(s.source) > longest:
		errs = append(errs, field.TooLong(s.at, "", longest))
	}
	return s, errs.ToAggregate()
}

// checkFields reports what a StarlarkRun does not know. Its params are whatever the script reads.
func checkFields(config *krm.Object) (errs field.ErrorList) {
	known := []string{"apiVersion", "kind", "metadata", "source", "params"}
	for i := 0; i+1 < len(config.Node().Content); i += 2 {
		if key := config.Node().Content[i].Value; !slices.Contains(known, key) {
			errs = append(errs, field.Forbidden(field.NewPath(key), "unknown field; parameters stand under params"))
		}
	}
	if n := config.Lookup("source"); n != nil && (n.Kind != yaml.ScalarNode || n.ShortTag() != yaml.NodeTagString) {
		errs = append(errs, field.TypeInvalid(field.NewPath("source"), field.OmitValueType{}, "want text"))
	}
	if n := config.Lookup("params"); n != nil && n.Kind != yaml.MappingNode && n.ShortTag() != yaml.NodeTagNull {
		errs = append(errs, field.TypeInvalid(field.NewPath("params"), field.OmitValueType{}, "want a map"))
	}
	return errs
}
