package waybill

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// MapRequest is the configuration of a function that is a hook of a MapController. The input, if there
// is one, is the first of its items; the present outputs come after it. The objects that it returns besides
// the input are the wanted outputs; for an input that is gone, those that stay.
//
// +kubebuilder:object:root=true
type MapRequest struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// Controller is the MapController.
	Controller runtime.RawExtension `json:"controller"`
	// Parent is the object that owns the outputs.
	Parent runtime.RawExtension `json:"parent"`
	// MapKey names the input; absent for the customize hook.
	MapKey string `json:"mapKey,omitempty"`
	// Tombstone is true when there is no input.
	Tombstone bool `json:"tombstone"`
	// Finalizing is true while the parent is being deleted.
	Finalizing bool `json:"finalizing,omitempty"`
	// Reason is why there is no input: InputMissing, InputNotSelected or InputExcluded. Version v2 only.
	Reason string `json:"reason,omitempty"`
	// Related are other objects that the customize hook selected, by "<Kind>.<apiVersion>" and name.
	Related map[string]RelatedObjects `json:"related,omitempty"`
}

// RelatedObjects are objects by name.
type RelatedObjects map[string]runtime.RawExtension

// RelatedResources is the result of a function that is a customize hook.
//
// +kubebuilder:object:root=true
type RelatedResources struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// RelatedResources are the rules, at most 100.
	// +kubebuilder:validation:MaxItems=100
	RelatedResources []RelatedRule `json:"relatedResources"`
}

// RelatedRule selects objects of one type: by names, or by selectors and a namespace, or all of them.
type RelatedRule struct {
	MapType `json:",inline"`
	// LabelSelector selects objects. Empty or absent: all.
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
	// Namespace is where they are.
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`
	// NamespaceSelector selects namespaces. Version v2 only.
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	// Names are theirs.
	Names []string `json:"names,omitempty"`
}

// HookRecording holds responses of webhooks, for use without a network.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=waybill
type HookRecording struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec holds the responses.
	Spec HookRecordingSpec `json:"spec"`
}

// HookRecordingSpec holds responses by request.
type HookRecordingSpec struct {
	// Responses are bodies of responses by the SHA-256, in 64 lower-case hexadecimal digits, of the
	// request's body as canonical JSON: sorted keys, no insignificant space, no HTML escaping.
	Responses map[string]runtime.RawExtension `json:"responses"`
}
