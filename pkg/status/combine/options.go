package combine

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Options are the user's settings, in a ConfigMap or under spec of a CombineStatus.
type Options struct {
	// WriteStatus returns statuses into objects where policies request that, with the label of a returned status, and removes
	// those that are no longer requested. Defaults to false: objects are not changed.
	WriteStatus bool `json:"writeStatus"`
	// StrictCounters counts a counter that a status lacks as 0 when statuses are aggregated. Defaults to false: it is
	// ignored, as KubeStellar does.
	StrictCounters bool `json:"strictCounters"`
	// NullAsNull writes null as Null and lists as Array. Defaults to false: both are an Object, as in KubeStellar.
	NullAsNull bool `json:"nullAsNull"`
	// WDSName is the workload space whose reports count, of several on one hub: a DNS name of at most 63 characters. Defaults
	// to git. A report without a workload space counts as well.
	WDSName string `json:"wdsName"`
	// AllowEmptySelection accepts a package without any Binding that holds CombinedStatuses of an earlier run, which are then
	// deleted. Defaults to false.
	AllowEmptySelection bool `json:"allowEmptySelection"`
}

// DefaultOptions are the options of a function without a config.
func DefaultOptions() Options { return Options{WDSName: "git"} }

// Validate reports every faulty option, each at its place below at.
func (o Options) Validate(at *field.Path) (errs field.ErrorList) {
	for _, why := range append(validation.IsDNS1123Subdomain(o.WDSName), validation.IsValidLabelValue(o.WDSName)...) {
		errs = append(errs, field.Invalid(at.Child("wdsName"), o.WDSName, why))
	}
	return errs
}

// readOptions reports every faulty option at once, each at its place in config.
func readOptions(config *krm.Object) (Options, error) {
	opts := DefaultOptions()
	if err := fn.DecodeConfig(config, configKind, &opts); err != nil {
		return opts, err
	}
	at := field.NewPath("spec")
	if config != nil && config.Kind() == "ConfigMap" {
		at = field.NewPath("data")
	}
	return opts, opts.Validate(at).ToAggregate()
}
