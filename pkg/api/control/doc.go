// Package control holds the kinds of API group control.kubestellar.io that Waybill reads and
// writes: BindingPolicy, Binding, CustomTransform, StatusCollector, WorkStatus and CombinedStatus.
//
// Shape: plain values with JSON tags, one kind per file, and a Decode function for each that takes
// a krm.Object apart. Writing a decoded value back gives the same document, presence of empty
// lists included, because presence means something in a clause.
// Cost: one walk over the document for its shape, one to decode it; one more when something is wrong.
// Errors: field.ErrorList, everything that is wrong with one document at once, each at its own
// path: unknown and removed fields, wrong types, null list elements, then what the installed CRD
// and the controllers refuse in the rest. A status is not input and never an error; that of a
// WorkStatus is, and may be one.
// Source: KubeStellar's API group control.kubestellar.io and the rules of its CRDs.
package control

import "k8s.io/apimachinery/pkg/runtime/schema"

// The group and version of every kind here.
const (
	Group      = "control.kubestellar.io"
	Version    = "v1alpha1"
	APIVersion = Group + "/" + Version
)

// The kinds here.
const (
	KindBindingPolicy   = "BindingPolicy"
	KindBinding         = "Binding"
	KindCustomTransform = "CustomTransform"
	KindStatusCollector = "StatusCollector"
	KindCombinedStatus  = "CombinedStatus"
	KindWorkStatus      = "WorkStatus"
)

// Kinds are all of this group.
func Kinds() []string {
	return []string{KindBindingPolicy, KindBinding, KindCustomTransform, KindStatusCollector, KindCombinedStatus, KindWorkStatus}
}

// OriginBindingLabel on a ManifestWork names the Binding whose objects it ships.
const OriginBindingLabel = "transport.kubestellar.io/originOwnerReferenceBindingKey"

// GroupKind is a kind of this group.
func GroupKind(kind string) schema.GroupKind { return schema.GroupKind{Group: Group, Kind: kind} }

// TypeMeta names version and kind, in the order people write them.
type TypeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}
