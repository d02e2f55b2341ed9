package starlark

import (
	"cmp"

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

// longest bounds how deeply a script can nest: the parser is recursive.
const longest = 128 << 10

func readScript(config *krm.Object) (s script, err error) {
	if config == nil {
		return s, edit.Missing(configKind)
	}
	c := edit.Copy(config)
	s = script{name: cmp.Or(c.Name(), "script"), config: c.Node(), at: field.NewPath("source")}
	var errs field.ErrorList
	switch {
	case fn.IsConfigMap(config):
		s.at = field.NewPath("data", "source")
		var entries []edit.Entry
		entries, errs = edit.Data(config)
		s.source = edit.Texts(entries)["source"]
	case edit.IsConfig(config, configKind):
		errs = checkFields(c)
		s.source = c.String("source")
	default:
		return s, edit.WrongKind(config, configKind)
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

// checkFields reports the faults of a StarlarkRun. Its params are for the script to check.
func checkFields(config *krm.Object) field.ErrorList {
	errs := fn.UnknownFields(config, "parameters belong under params", "source", "params")
	if n := config.Lookup("source"); n != nil && (n.Kind != yaml.ScalarNode || n.ShortTag() != yaml.NodeTagString) {
		errs = append(errs, field.TypeInvalid(field.NewPath("source"), field.OmitValueType{}, "want text"))
	}
	if n := config.Lookup("params"); n != nil && !krm.IsMap(n) && !krm.IsNull(n) {
		errs = append(errs, field.TypeInvalid(field.NewPath("params"), field.OmitValueType{}, "want a map"))
	}
	return errs
}
