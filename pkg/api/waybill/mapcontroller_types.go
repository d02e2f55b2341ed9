package waybill

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// MapController says: for every input that a parent selects, keep some outputs, owned by the parent.
// What outputs these are, a hook says, one input at a time.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories=waybill
// +kubebuilder:printcolumn:name="Parents",type=string,JSONPath=`.spec.parentResource.resource`,description="What owns outputs."
// +kubebuilder:printcolumn:name="View",type=string,JSONPath=`.spec.view`,description="Whether an input that is not seen counts as gone."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while the controller is understood and acted on."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
type MapController struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec may change at any time. Outputs are known as this controller's by its name.
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

// MapControllerSpec says what is mapped to what, and by whom.
type MapControllerSpec struct {
	// ParentResource is the type of the objects that own outputs. Its spec.selector, a label selector,
	// selects inputs; missing and empty mean all. A namespaced parent sees its own namespace, and what
	// has none; another one sees everything.
	ParentResource MapParent `json:"parentResource"`
	// InputResources are the types that are mapped, 1 to 50.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	InputResources []MapInput `json:"inputResources"`
	// OutputResources are the types that hooks may return, 1 to 50.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	OutputResources []MapOutput `json:"outputResources"`
	// ResyncPeriodSeconds is how often a live controller looks at every parent, in seconds; less than 1
	// counts as 1. Absent: only when something changes. It means nothing to files.
	ResyncPeriodSeconds *int32 `json:"resyncPeriodSeconds,omitempty"`
	// Hooks decide.
	Hooks MapHooks `json:"hooks"`
	// EndpointConfigs say how to connect to the hosts of webhooks that do not say so themselves. The first
	// entry for a host counts. At most 50.
	// +kubebuilder:validation:MaxItems=50
	EndpointConfigs []EndpointConfig `json:"endpointConfigs,omitempty"`

	// View is Complete or Partial. Partial keeps outputs of inputs that are not seen: they may exist
	// elsewhere. Defaults to Partial for files, and to Complete in a cluster, whose API server knows.
	// +kubebuilder:validation:MaxLength=16
	View string `json:"view,omitempty"`
	// AllowEmpty lets outputs go even where a whole type of inputs, or their parent, is not there any more.
	AllowEmpty bool `json:"allowEmpty,omitempty"`
	// MaxDeletions is the most that one run may delete: a number, or a percentage of all outputs. Above
	// it nothing changes at all. Absent: no limit.
	MaxDeletions *intstr.IntOrString `json:"maxDeletions,omitempty"`
	// Adopt says what to do with an object that is wanted and was there before: Never, the default, makes
	// it an error; Preserve takes it over as it is; Converge makes it what is wanted.
	// +kubebuilder:validation:MaxLength=16
	Adopt string `json:"adopt,omitempty"`
	// StatusMode is Report: how many inputs and outputs a parent has is only told; or InPlace: it is
	// written to the parent's status, too. Defaults to Report for files, and to InPlace in a cluster,
	// where a type of parents without a status subresource gets none.
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
	// Resource is the lower-case plural. Files do not say what it is called: a table of Kubernetes' own
	// types, CustomResourceDefinitions among the items and the items themselves tell.
	// +kubebuilder:validation:MaxLength=256
	Resource string `json:"resource,omitempty"`
	// Kind may stand beside Resource or in its place.
	// +kubebuilder:validation:MaxLength=256
	Kind string `json:"kind,omitempty"`
}

// MapParent is the type of parents.
type MapParent struct {
	MapType `json:",inline"`
	// LabelSelector selects parents. Absent: all.
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
	// IgnoreStatusChanges has a live controller pass over changes of a parent's status alone.
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
	// UpdateStrategy says how outputs of this type are brought up to date.
	UpdateStrategy *MapUpdate `json:"updateStrategy,omitempty"`
}

// MapUpdate says how outputs are brought up to date.
type MapUpdate struct {
	// Method is InPlace, the default, which changes an output; Recreate, which deletes it and makes it
	// anew; or OnDelete, which waits until another client deletes it.
	// +kubebuilder:validation:MaxLength=16
	Method string `json:"method,omitempty"`
}

// MapControllerStatus says how a live controller gets on.
type MapControllerStatus struct {
	// Conditions hold Ready: True while all parents are mapped; and Stalled: True while the spec is wrong,
	// so that nothing helps until it is changed.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// ObservedGeneration is the metadata.generation that this status speaks of.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
