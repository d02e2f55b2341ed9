package combine

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Options are what a user may set, in a ConfigMap or under spec of a CombineStatus.
type Options struct {
	// WriteStatus gives objects the status that policies want to see in them, and the label that tells of
	// it; what was returned before and is not wanted any more goes. Defaults to false: objects stay as
	// they are.
	WriteStatus bool `json:"writeStatus"`
	// StrictCounters takes a counter that a status lacks for 0 when statuses are joined. Defaults to
	// false: it is ignored, as KubeStellar does.
	StrictCounters bool `json:"strictCounters"`
	// NullAsNull makes Null of null and Array of lists. Defaults to false: both are an Object, as
	// KubeStellar has it.
	NullAsNull bool `json:"nullAsNull"`
	// WDSName says whose reports count, of several workload spaces on one hub: a DNS name of at most 63
	// characters. Defaults to git. What does not say whose it is counts as well.
	WDSName string `json:"wdsName"`
	// AllowEmptySelection accepts a package without any Binding that holds CombinedStatuses of an earlier run, which are
	// deleted then. Defaults to false.
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
