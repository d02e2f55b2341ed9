package injection

import (
	"errors"
	"fmt"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Options are those of inject-config.
type Options struct {
	// Injectors select the context object for each point; the first that fits wins. None by default, at
	// most 1000.
	Injectors []porchconfig.InjectionSelector `json:"injectors"`
	// Namespace is the namespace of the context objects that count, besides those without one. By default all
	// count.
	Namespace string `json:"namespace"`
}

// textOptions are Options in a ConfigMap, where the list is YAML text.
type textOptions struct {
	Injectors string `json:"injectors"`
	Namespace string `json:"namespace"`
}

// maxInjectors limits the work for each kind of point.
const maxInjectors = 1000

// injectorLimits are far above any list that a user writes.
var injectorLimits = krm.Limits{Bytes: 1 << 20, Documents: 1, Depth: 20, Nodes: 20_000, Aliased: 1000}

// readOptions reports every invalid option at once, each at its path in config.
func readOptions(config *krm.Object) (opts Options, err error) {
	at := field.NewPath("spec")
	if config == nil || config.APIVersion() != "v1" || config.Kind() != "ConfigMap" {
		if err = fn.DecodeConfig(config, configKind, &opts); err != nil && config.Lookup("spec") != nil {
			_ = krm.DecodeLoose(config.Lookup("spec"), at, &opts) // to report its other errors, too
		}
	} else {
		at = field.NewPath("data")
		var text textOptions
		err = fn.DecodeConfig(config, configKind, &text)
		opts.Namespace = text.Namespace
		list, faults := readInjectors(text.Injectors, at.Child("injectors"))
		opts.Injectors, err = list, utilerrors.NewAggregate([]error{err, faults})
	}
	return opts, utilerrors.NewAggregate([]error{err, opts.validate(at).ToAggregate()})
}

// validate reports invalid injectors and an invalid namespace.
func (o *Options) validate(at *field.Path) (errs field.ErrorList) {
	if n := len(o.Injectors); n > maxInjectors {
		return field.ErrorList{field.TooMany(at.Child("injectors"), n, maxInjectors)}
	}
	for i := range o.Injectors {
		if o.Injectors[i].Name == "" {
			errs = append(errs, field.Required(at.Child("injectors").Index(i).Child("name"), "name the context object"))
		}
	}
	if o.Namespace != "" && len(validation.IsDNS1123Label(o.Namespace)) > 0 {
		errs = append(errs, field.Invalid(at.Child("namespace"), o.Namespace, "no namespace can have this name"))
	}
	return errs
}

// readInjectors reads a list of injectors from text. It puts the list below a key, so that krm reads it with
// limits, as it reads every object.
func readInjectors(text string, at *field.Path) (injectors []porchconfig.InjectionSelector, err error) {
	below := "injectors:\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
	objects, err := krm.Read(at.String(), []byte(below), injectorLimits)
	if err != nil {
		return nil, field.Invalid(at, field.OmitValueType{}, reason(err))
	}
	if len(objects) != 1 || len(objects[0].Node().Content) != 2 {
		return nil, field.TypeInvalid(at, field.OmitValueType{}, "want a list of injectors, as YAML")
	}
	return injectors, krm.DecodeNode(objects[0].Lookup("injectors"), at, &injectors)
}

// reason is why a text is invalid, with the line in the text.
func reason(err error) string {
	var at *krm.ParseError
	switch {
	case !errors.As(err, &at):
		return err.Error()
	case at.Line > 1:
		return fmt.Sprintf("line %d: %s", at.Line-1, at.Reason)
	}
	return at.Reason
}
