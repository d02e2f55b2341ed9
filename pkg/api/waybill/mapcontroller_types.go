package waybill

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// MapController keeps outputs for every input that a parent selects, owned by the parent. A hook returns the
// outputs of one input at a time.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories=waybill
// +kubebuilder:printcolumn:name="Parents",type=string,JSONPath=`.spec.parentResource.resource`,description="The type that owns outputs."
// +kubebuilder:printcolumn:name="View",type=string,JSONPath=`.spec.view`,description="Whether a missing input counts as deleted."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while all parents are mapped."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type MapController struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec may change at any time. Outputs belong to a controller by its name.
	Spec MapControllerSpec `json:"spec"`
	// Status is the live controller's.
	Status MapControllerStatus `json:"status,omitzero"`
}

// MapControllerList is a list of MapControllers.
//
// +kubebuilder:object:root=true
type MapControllerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MapController `json:"items"`
}

// MapControllerSpec is the types of parents, inputs and outputs, and the hooks.
type MapControllerSpec struct {
	// ParentResource is the type of the objects that own outputs. Its spec.selector, a label selector,
	// selects inputs; missing and empty mean all. A namespaced parent selects in its own namespace, and
	// cluster-scoped objects; another one selects everywhere.
	ParentResource MapParent `json:"parentResource"`
	// InputResources are the types that are mapped, 1 to 50.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	InputResources []MapInput `json:"inputResources"`
	// OutputResources are the types that hooks may return, 1 to 50.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	OutputResources []MapOutput `json:"outputResources"`
	// ResyncPeriodSeconds is the interval at which a live controller handles every parent, in seconds; less than
	// 1 counts as 1. Absent: only after a change. It has no effect on files.
	ResyncPeriodSeconds *int32 `json:"resyncPeriodSeconds,omitempty"`
	// Hooks are the hooks.
	Hooks MapHooks `json:"hooks"`
	// EndpointConfigs are connection settings for the hosts of webhooks without their own. The first entry for a
	// host is used. At most 50.
	// +kubebuilder:validation:MaxItems=50
	EndpointConfigs []EndpointConfig `json:"endpointConfigs,omitempty"`

	// View is Complete or Partial. Partial keeps outputs of inputs that are missing here: they may exist
	// elsewhere. Defaults to Partial for files, and to Complete in a cluster.
	// +kubebuilder:validation:MaxLength=16
	View string `json:"view,omitempty"`
	// AllowEmpty allows the deletion of outputs even if a whole type of inputs, or their parent, is missing.
	AllowEmpty bool `json:"allowEmpty,omitempty"`
	// MaxDeletions is the most deletions of one run: a number, or a percentage of all outputs. Above it, the run
	// changes nothing. Absent: no limit.
	MaxDeletions *intstr.IntOrString `json:"maxDeletions,omitempty"`
	// Adopt is the policy for a wanted object that existed before: Never, the default, is an error; Preserve
	// adopts it as it is; Converge adopts and changes it.
	// +kubebuilder:validation:MaxLength=16
	Adopt string `json:"adopt,omitempty"`
	// StatusMode is Report: the numbers of inputs and outputs of a parent are only reported; or InPlace: they are
	// written to the parent's status, too. Defaults to Report for files, and to InPlace in a cluster, but for
	// types of parents without a status subresource.
	// +kubebuilder:validation:MaxLength=16
	StatusMode string `json:"statusMode,omitempty"`
}

// Values of MapControllerSpec.View, Adopt and StatusMode, and of MapUpdate.Method.
const (
	ViewComplete = "Complete"
	ViewPartial  = "Partial"

	AdoptNever    = "Never"
	AdoptPreserve = "Preserve"
	AdoptConverge = "Converge"

	StatusReport  = "Report"
	StatusInPlace = "InPlace"

	UpdateInPlace  = "InPlace"
	UpdateRecreate = "Recreate"
	UpdateOnDelete = "OnDelete"
)

// MapType names a type of objects, by its resource or by its kind.
type MapType struct {
	// APIVersion is group/version, or a version of the core group.
	// +kubebuilder:validation:MaxLength=256
	APIVersion string `json:"apiVersion"`
	// Resource is the lower-case plural. For files it is found in a table of Kubernetes' own types, in
	// CustomResourceDefinitions among the items, and in the items.
	// +kubebuilder:validation:MaxLength=256
	Resource string `json:"resource,omitempty"`
	// Kind may be given with Resource or in place of it.
	// +kubebuilder:validation:MaxLength=256
	Kind string `json:"kind,omitempty"`
}

// MapParent is the type of parents.
type MapParent struct {
	MapType `json:",inline"`
	// LabelSelector selects parents. Absent: all.
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
	// IgnoreStatusChanges makes a live controller ignore changes of a parent's status alone.
	IgnoreStatusChanges *bool `json:"ignoreStatusChanges,omitempty"`
}

// MapInput is a type of inputs.
type MapInput struct {
	MapType `json:",inline"`
	// LabelSelector selects inputs of this type, besides the parent's selector. Absent: all.
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
}

// MapOutput is a type of outputs.
type MapOutput struct {
	MapType `json:",inline"`
	// UpdateStrategy is how outputs of this type are updated.
	UpdateStrategy *MapUpdate `json:"updateStrategy,omitempty"`
}

// MapUpdate is how outputs are updated.
type MapUpdate struct {
	// Method is InPlace, the default, which changes an output; Recreate, which deletes and creates it
	// again; or OnDelete, which waits until another client deletes it.
	// +kubebuilder:validation:MaxLength=16
	Method string `json:"method,omitempty"`
}

// MapControllerStatus is the status of a live controller.
type MapControllerStatus struct {
	// Conditions hold Ready: True while all parents are mapped; and Stalled: True while the spec is invalid
	// and must be changed.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// ObservedGeneration is the metadata.generation of this status.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
