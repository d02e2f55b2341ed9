package porchconfig

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PackageVariantStatus is what came of it.
type PackageVariantStatus struct {
	// Conditions hold Stalled, Ready, ConfigInjected and ReadinessGatesMet. Ready
	// is True while the downstream is as the spec wants it, False otherwise.
	// Stalled is True while the spec is wrong or its upstream is not there, False
	// otherwise. ConfigInjected is False while a required injection point has no
	// object, True while each has, absent when the package has none.
	// ReadinessGatesMet is False while a readiness gate of the package has no True
	// condition, True while each has, absent when the package has none. The latter
	// two do not change Ready.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// DownstreamTargets are the package revisions that are kept now.
	DownstreamTargets []DownstreamTarget `json:"downstreamTargets,omitempty"`
}

// DownstreamTarget is a package revision that is kept.
type DownstreamTarget struct {
	// Name of the package revision.
	Name string `json:"name,omitempty"`
	// RenderStatus is how its last render went.
	RenderStatus RenderStatus `json:"renderStatus,omitzero"`
}

// RenderStatus is how the last render of a package revision went.
type RenderStatus struct {
	// Result is a FunctionResultList, as the functions gave it.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Result json.RawMessage `json:"result,omitempty"`
	// Error is what kept the render from ending well, empty when nothing did.
	Error string `json:"error,omitempty"`
}
