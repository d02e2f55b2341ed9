package bundling

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Options are what a user may set, in a ConfigMap or under spec of a BundleManifestWork.
type Options struct {
	// WDSName says which workload space the works come from, in their names and labels: a DNS
	// name of at most 63 characters. Defaults to git. Changing it renames every work.
	WDSName string `json:"wdsName"`
	// MaxSize bounds the objects of one work: bytes of compact JSON, each with a newline. At least
	// 1. Defaults to 512000.
	MaxSize int `json:"maxSize"`
	// MaxObjects bounds the number of objects in one work, at least 1. Defaults to 512000. With 1
	// works are named after their object instead of numbered.
	MaxObjects int `json:"maxObjects"`
	// ManifestLimit bounds the objects of one work as an OCM hub adds them up: the hub's own
	// --manifestLimit, in encoded bytes. At least 1. Defaults to 512000.
	ManifestLimit int `json:"manifestLimit"`
	// Assignment says how objects come to works: sequential (the default) fills works in the Binding's
	// order; stable leaves an object in the work it was in. May change at any time; to stable without
	// moving anything.
	Assignment string `json:"assignment"`
	// NullNodePorts writes nodePort: null into the ports of Services, as KubeStellar does, instead
	// of leaving the field out. Defaults to false.
	NullNodePorts bool `json:"nullNodePorts"`
	// CustomTransforms says whether the CustomTransforms of the list are applied here, to what is
	// shipped: apply, or ignore (the default), because function custom-transform did it.
	CustomTransforms string `json:"customTransforms"`
	// Rollout says which rules works carry for OCM's rollouts: none (the default), or conditions, by
	// which an agent says of every object whether it is done or has failed.
	Rollout string `json:"rollout"`
	// AllowEmptyInventory accepts a list that knows no cluster. Defaults to false: an inventory
	// that could not be read must not take everything from every cluster.
	AllowEmptyInventory bool `json:"allowEmptyInventory"`
}

// The words that options of a fixed choice take.
const (
	sequential, stable = "sequential", "stable"
	ignore, apply      = "ignore", "apply"
	none, conditions   = "none", "conditions"
)

func defaultOptions() Options {
	const ownLimit = 512000
	return Options{WDSName: "git", MaxSize: ownLimit, MaxObjects: ownLimit, ManifestLimit: ownLimit,
		Assignment: sequential, CustomTransforms: ignore, Rollout: none}
}

// readOptions reports every faulty option at once, each at its place in config.
func readOptions(config *krm.Object) (Options, error) {
	opts := defaultOptions()
	if err := fn.DecodeConfig(config, kind, &opts); err != nil {
		return opts, err
	}
	at := field.NewPath("spec")
	if config != nil && config.Kind() == "ConfigMap" {
		at = field.NewPath("data")
	}
	return opts, opts.validate(at).ToAggregate()
}

func (o Options) validate(at *field.Path) (errs field.ErrorList) {
	for _, why := range append(validation.IsDNS1123Subdomain(o.WDSName), validation.IsValidLabelValue(o.WDSName)...) {
		errs = append(errs, field.Invalid(at.Child("wdsName"), o.WDSName, why))
	}
	errs = append(errs, atLeastOne(at.Child("maxSize"), o.MaxSize)...)
	errs = append(errs, atLeastOne(at.Child("maxObjects"), o.MaxObjects)...)
	errs = append(errs, atLeastOne(at.Child("manifestLimit"), o.ManifestLimit)...)
	errs = append(errs, oneOf(at.Child("assignment"), o.Assignment, sequential, stable)...)
	errs = append(errs, oneOf(at.Child("customTransforms"), o.CustomTransforms, ignore, apply)...)
	return append(errs, oneOf(at.Child("rollout"), o.Rollout, none, conditions)...)
}

func atLeastOne(at *field.Path, n int) field.ErrorList {
	if n < 1 {
		return field.ErrorList{field.Invalid(at, n, "must be at least 1")}
	}
	return nil
}

func oneOf(at *field.Path, word string, known ...string) field.ErrorList {
	if slices.Contains(known, word) {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, word, known)}
}

func (o Options) limits() limits {
	return limits{size: o.MaxSize, encoded: o.ManifestLimit, objects: o.MaxObjects}
}
