package bundling

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Options are what a user may set, in a ConfigMap or under spec of a BundleManifestWork.
type Options struct {
	// WDSName is the workload description space in the names and labels of works: a DNS name of at most
	// 63 characters. Defaults to git. Another value renames every work.
	WDSName string `json:"wdsName"`
	// MaxSize is the most bytes that the objects of one work may take as compact JSON, each with a newline. At least
	// 1. Defaults to 512000.
	MaxSize int `json:"maxSize"`
	// MaxObjects is the most objects in one work, at least 1. Defaults to 512000. With 1 the name of a work has a hash
	// of its object instead of a number.
	MaxObjects int `json:"maxObjects"`
	// ManifestLimit is the most encoded bytes that the objects of one work may take: the --manifestLimit of the OCM
	// hub. At least 1. Defaults to 512000.
	ManifestLimit int `json:"manifestLimit"`
	// Assignment says how objects are divided into works: sticky (the default) leaves an object in the work that
	// holds it in the package; stable is an older name of sticky; sequential fills works in the Binding's
	// order, as KubeStellar does. May change at any time: objects that move are handed over.
	Assignment string `json:"assignment"`
	// Fill is the percentage of the limits up to which a work takes new objects; the rest is room for its
	// objects to grow. From 1 to 100. Defaults to 40. No effect on sequential.
	Fill int `json:"fill"`
	// Overflow says what happens when the objects of a work outgrow the limits: fail (the default) ends the
	// run with an error; move hands objects over to another work. No effect on sequential.
	Overflow string `json:"overflow"`
	// HandOver says what happens to objects that earlier works hand over: keep (the default) also leaves them in
	// those works; finish removes them, which is safe once every cluster has applied the hand-over.
	HandOver string `json:"handOver"`
	// WhenClusterLeaves says what happens to objects on a cluster that a Binding no longer selects: delete
	// (the default), or orphan, which leaves them on the cluster.
	WhenClusterLeaves string `json:"whenClusterLeaves"`
	// PropagationPolicy is what agents do with objects that a work no longer holds, because a cluster leaves, a policy goes or no
	// policy selects the object: Foreground deletes them, Orphan leaves them on the cluster, and SelectivelyOrphan (the default)
	// leaves those that hold data and deletes the others. Annotation waybill.dev/propagation-policy of a policy or a Binding
	// takes precedence for what it selects.
	PropagationPolicy string `json:"propagationPolicy"`
	// PropagationPolicies are the policies of single kinds, Foreground or Orphan: "Namespace=Foreground;Job.batch=Orphan". They
	// take precedence over PropagationPolicy; annotation waybill.dev/propagation-policy of an object does over both.
	PropagationPolicies string `json:"propagationPolicies"`
	// UpdateStrategy is how agents apply objects: ServerSideApply (the default), Update (KubeStellar's),
	// CreateOnly or ReadOnly. Annotation waybill.dev/update-strategy of an object takes precedence.
	UpdateStrategy string `json:"updateStrategy"`
	// UpdateStrategies are the strategies of single kinds: "Job.batch=CreateOnly;ConfigMap=Update".
	UpdateStrategies string `json:"updateStrategies"`
	// ApplyWith says how works are applied to the hub: any (the default) warns of works that are too large for
	// client-side apply; client-side keeps works small enough for it; server-side does neither.
	ApplyWith string `json:"applyWith"`
	// NullNodePorts writes nodePort: null into the ports of Services, as KubeStellar does, instead
	// of omitting the field. Defaults to false.
	NullNodePorts bool `json:"nullNodePorts"`
	// CustomTransforms says whether this function applies the CustomTransforms of the list: apply, or
	// ignore (the default), because the function custom-transform applied them.
	CustomTransforms string `json:"customTransforms"`
	// Rollout says which rules works hold for OCM's rollouts: none (the default), or conditions, with
	// which an agent reports of every object whether it is done or has failed.
	Rollout string `json:"rollout"`
	// AllowEmptyInventory accepts a list without clusters. Defaults to false: an inventory that could not
	// be read must not delete everything on every cluster.
	AllowEmptyInventory bool `json:"allowEmptyInventory"`
	// AllowEmptySelection accepts a list that holds works of an earlier run and no Binding, and deletes the
	// works. Defaults to false: missing Bindings must not delete everything on every cluster.
	AllowEmptySelection bool `json:"allowEmptySelection"`
}

// The values of options with a fixed choice.
const (
	sticky, stable, sequential       = "sticky", "stable", "sequential"
	fail, move                       = "fail", "move"
	keep, finish                     = "keep", "finish"
	remove, orphan                   = "delete", "orphan"
	anyApply, clientSide, serverSide = "any", "client-side", "server-side"
	ignore, apply                    = "ignore", "apply"
	none, conditions                 = "none", "conditions"
)

func defaultOptions() Options {
	const ownLimit, defaultFill = 512000, 40
	return Options{WDSName: "git", MaxSize: ownLimit, MaxObjects: ownLimit, ManifestLimit: ownLimit,
		Assignment: sticky, Fill: defaultFill, Overflow: fail, HandOver: keep, WhenClusterLeaves: remove,
		PropagationPolicy: workload.SelectivelyOrphan,
		UpdateStrategy:    manifestconfig.ServerSideApply, ApplyWith: anyApply, CustomTransforms: ignore, Rollout: none}
}

// readOptions reports every invalid option at once, each at its path in config.
func readOptions(config *krm.Object) (Options, error) {
	opts := defaultOptions()
	if err := fn.DecodeConfig(config, kind, &opts); err != nil {
		return opts, err
	}
	return opts, opts.validate(fn.OptionsPath(config)).ToAggregate()
}

func (o Options) validate(at *field.Path) (errs field.ErrorList) {
	for _, why := range append(validation.IsDNS1123Subdomain(o.WDSName), validation.IsValidLabelValue(o.WDSName)...) {
		errs = append(errs, field.Invalid(at.Child("wdsName"), o.WDSName, why))
	}
	errs = append(errs, atLeastOne(at.Child("maxSize"), o.MaxSize)...)
	errs = append(errs, atLeastOne(at.Child("maxObjects"), o.MaxObjects)...)
	errs = append(errs, atLeastOne(at.Child("manifestLimit"), o.ManifestLimit)...)
	if o.Fill < 1 || o.Fill > 100 {
		errs = append(errs, field.Invalid(at.Child("fill"), o.Fill, "must be a percentage from 1 to 100"))
	}
	errs = append(errs, fn.OneOf(at.Child("assignment"), o.Assignment, sticky, stable, sequential)...)
	errs = append(errs, fn.OneOf(at.Child("overflow"), o.Overflow, fail, move)...)
	errs = append(errs, fn.OneOf(at.Child("handOver"), o.HandOver, keep, finish)...)
	errs = append(errs, fn.OneOf(at.Child("whenClusterLeaves"), o.WhenClusterLeaves, remove, orphan)...)
	errs = append(errs, fn.OneOf(at.Child("propagationPolicy"), o.PropagationPolicy, workload.PropagationPolicies...)...)
	_, faults := manifestconfig.ReadPolicies(o.PropagationPolicies, at.Child("propagationPolicies"))
	errs = append(errs, faults...)
	errs = append(errs, fn.OneOf(at.Child("applyWith"), o.ApplyWith, anyApply, clientSide, serverSide)...)
	errs = append(errs, fn.OneOf(at.Child("updateStrategy"), o.UpdateStrategy, manifestconfig.UpdateStrategies...)...)
	_, faults = manifestconfig.ReadStrategies(o.UpdateStrategies, at.Child("updateStrategies"))
	errs = append(errs, faults...)
	errs = append(errs, fn.OneOf(at.Child("customTransforms"), o.CustomTransforms, ignore, apply)...)
	return append(errs, fn.OneOf(at.Child("rollout"), o.Rollout, none, conditions)...)
}

func atLeastOne(at *field.Path, n int) field.ErrorList {
	if n < 1 {
		return field.ErrorList{field.Invalid(at, n, "must be at least 1")}
	}
	return nil
}

func (o Options) limits() packing.Limits {
	l := packing.Limits{Size: o.MaxSize, Encoded: o.ManifestLimit, Objects: o.MaxObjects, Sent: packing.MaxSent, Fill: o.Fill}
	if o.ApplyWith == clientSide {
		l.Sent, l.Always = packing.MaxClientSide, true
	}
	return l
}
