package translation

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// Options are the user's settings, in a ConfigMap or under spec of a Translate.
type Options struct {
	// Tenant owns the resources in the backend. Defaults to midonetkube.
	Tenant string `json:"tenant"`
	// Version is a part of every name and every id: lower-case letters and digits. Defaults to 4. Another version recreates
	// everything and deletes the old Translations, except those on which a remaining one depends.
	Version string `json:"version"`
	// Converters are the kinds to convert: node, pod, service, endpoints. Defaults to all.
	Converters []string `json:"converters"`
	// Global makes the Translations that all objects share. Defaults to true.
	Global bool `json:"global"`
	// Namespace is the namespace of objects that name none. Defaults to default.
	Namespace string `json:"namespace"`
	// View says whether the package has all objects: Complete or Partial. Defaults to Partial, which keeps the Translations
	// of objects that are missing.
	View string `json:"view"`
	// AllowEmpty lets Translations be deleted although a Complete view has no object of their owners' kind. Defaults to
	// false.
	AllowEmpty bool `json:"allowEmpty"`
	// MaxDeletions bounds the Translations that one run deletes: a number, or a percentage of the existing ones. Defaults
	// to no bound.
	MaxDeletions limit `json:"maxDeletions"`
	// Adopt says what happens to a desired Translation that another client made: Converge or Never. Defaults to Converge.
	Adopt string `json:"adopt"`
	// OnFault says what a fault of one object stops: with Skip only the Translations of that object, which stay as they are,
	// with a warning; with Fail the run. Defaults to Skip.
	OnFault string `json:"onFault"`
	// UpdateLimits refuses changes that a pusher without a memory cannot make. Defaults to true.
	UpdateLimits bool `json:"updateLimits"`
}

var (
	extents   = map[string]applyset.Extent{"Complete": applyset.Complete, "Partial": applyset.Partial}
	adoptions = map[string]applyset.Adoption{"Converge": applyset.Converge, "Never": applyset.Never}
	onFault   = map[string]faultPolicy{
		"Skip": {applyset.Skip, sdk.Warning}, "Fail": {applyset.Fail, sdk.Error},
	}
)

// faultPolicy is what a fault of an object leads to, and how severe it is.
type faultPolicy struct {
	outcome  func(error) applyset.Outcome
	severity sdk.Severity
}

func defaultOptions() Options {
	d := midonet.Defaults()
	return Options{
		Tenant: d.Tenant, Version: d.Version, Converters: d.Converters, Namespace: d.Namespace,
		Global: true, View: "Partial", Adopt: "Converge", OnFault: "Skip", UpdateLimits: true,
	}
}

// readOptions reports every faulty option at once, each at its place in config.
func readOptions(config *krm.Object) (Options, error) {
	opts := defaultOptions()
	if err := fn.DecodeConfig(config, configKind, &opts); err != nil {
		return opts, err
	}
	at := field.NewPath("spec")
	if config != nil && config.Kind() == "ConfigMap" {
		at = field.NewPath("data")
	}
	errs := opts.validate(at)
	for _, why := range validation.IsDNS1123Subdomain(controllerOf(config)) {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), controllerOf(config), why))
	}
	return opts, errs.ToAggregate()
}

// controllerOf is the controller in the tags of Translations: the name of the config; not that of a ConfigMap, which an
// orchestrator chooses.
func controllerOf(config *krm.Object) string {
	if config == nil || config.Kind() != configKind {
		return Name
	}
	return cmp.Or(config.Name(), Name)
}

func (o *Options) validate(at *field.Path) (errs field.ErrorList) {
	add := func(at *field.Path, value string, set func(*midonet.Options)) {
		one := midonet.Defaults()
		set(&one)
		if err := one.Validate(); err != nil {
			errs = append(errs, field.Invalid(at, value, reason(err, value)))
		}
	}
	add(at.Child("tenant"), o.Tenant, func(m *midonet.Options) { m.Tenant = o.Tenant })
	add(at.Child("version"), o.Version, func(m *midonet.Options) { m.Version = o.Version })
	for i, name := range o.Converters {
		add(at.Child("converters").Index(i), name, func(m *midonet.Options) { m.Converters = []string{name} })
	}
	add(at.Child("namespace"), o.Namespace, func(m *midonet.Options) { m.Namespace = o.Namespace })
	if _, ok := extents[o.View]; !ok {
		errs = append(errs, field.NotSupported(at.Child("view"), o.View, []string{"Complete", "Partial"}))
	}
	if _, err := applyset.ParseLimit(string(o.MaxDeletions)); err != nil {
		errs = append(errs, field.Invalid(at.Child("maxDeletions"), string(o.MaxDeletions), err.Error()))
	}
	if _, ok := adoptions[o.Adopt]; !ok {
		errs = append(errs, field.NotSupported(at.Child("adopt"), o.Adopt, []string{"Converge", "Never"}))
	}
	if _, ok := onFault[o.OnFault]; !ok {
		errs = append(errs, field.NotSupported(at.Child("onFault"), o.OnFault, []string{"Fail", "Skip"}))
	}
	return errs
}

// reason is what an error of midonet's options says behind the option and its value.
func reason(err error, value string) string {
	_, why, _ := strings.Cut(err.Error(), ": ")
	return strings.TrimPrefix(why, strconv.Quote(value)+": ")
}

func (o *Options) forConverter() midonet.Options {
	return midonet.Options{Tenant: o.Tenant, Version: o.Version, Converters: o.Converters, Namespace: o.Namespace}
}

// maxDeletions is the validated limit.
func (o *Options) maxDeletions() applyset.Limit {
	l, _ := applyset.ParseLimit(string(o.MaxDeletions))
	return l
}

// limit is a bound as users write it: 10, "10" or "25%".
type limit string

// UnmarshalJSON reads a number as its text.
func (l *limit) UnmarshalJSON(data []byte) error {
	var number json.Number
	if json.Unmarshal(data, &number) == nil {
		*l = limit(number)
		return nil
	}
	var text string
	if json.Unmarshal(data, &text) != nil {
		return errors.New("want a whole number or a percentage")
	}
	*l = limit(text)
	return nil
}
