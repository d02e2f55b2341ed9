package porchconfig

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PackageVariantStatus is the result of the last pass.
type PackageVariantStatus struct {
	// Conditions hold Stalled, Ready, Rendered, ConfigInjected and ReadinessGatesMet. Ready
	// is True while the downstream is as in the spec, False otherwise.
	// Stalled is True while the spec is invalid or its upstream is missing, False
	// otherwise. ConfigInjected is False while a required injection point has no
	// object, True while each has, absent when the package has none.
	// ReadinessGatesMet is False while a readiness gate of the package has no True
	// condition, True while each has, absent when the package has none. Rendered is
	// False while a draft does not render and is kept nevertheless, absent
	// otherwise. The latter three do not change Ready.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// DownstreamTargets are the current package revisions.
	DownstreamTargets []DownstreamTarget `json:"downstreamTargets,omitempty"`
}

// DownstreamTarget is a current package revision.
type DownstreamTarget struct {
	// Name of the package revision.
	Name string `json:"name,omitempty"`
	// RenderStatus is the result of its last render.
	RenderStatus RenderStatus `json:"renderStatus,omitzero"`
}

// RenderStatus is the result of the last render of a package revision.
type RenderStatus struct {
	// Result is the FunctionResultList of the functions.
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	Result json.RawMessage `json:"result,omitempty"`
	// Error is the reason why the render failed, empty when it did not.
	Error string `json:"error,omitempty"`
}
