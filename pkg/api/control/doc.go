// Package control holds the kinds of API group control.kubestellar.io that Waybill reads and
// writes: BindingPolicy, Binding, CustomTransform, StatusCollector and CombinedStatus.
//
// Shape: plain values with JSON tags, one kind per file, and a Decode function for each. Writing a decoded value back
// gives the same document, empty lists included: in a clause, an empty list differs from an absent one.
// Cost: one walk over the document for its shape, one to decode it; one more when something is wrong.
// Errors: a field.ErrorList with every fault of one document, each at its own path: unknown and removed fields, wrong
// types, null list elements, then violations of the rules of the installed CRD and the controllers in the rest. A status is not input
// and never an error.
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

// Kinds are all kinds of this group.
func Kinds() []string {
	return []string{KindBindingPolicy, KindBinding, KindCustomTransform, KindStatusCollector, KindCombinedStatus, KindWorkStatus}
}

// OriginBindingLabel on a ManifestWork names the Binding whose objects it ships.
const OriginBindingLabel = "transport.kubestellar.io/originOwnerReferenceBindingKey"

// GroupKind is a kind of this group.
func GroupKind(kind string) schema.GroupKind { return schema.GroupKind{Group: Group, Kind: kind} }

// TypeMeta has apiVersion and kind in the usual order.
type TypeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}
