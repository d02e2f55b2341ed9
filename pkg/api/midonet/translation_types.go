package midonet

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Translation is the resources of one Kubernetes object, or a part of one, in a
// MidoNet backend: they are created there in this order and deleted in the
// reverse one.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=tr
// +kubebuilder:printcolumn:name="Owner Kind",type=string,JSONPath=`.metadata.ownerReferences[0].kind`,description="Kind of the translated object."
// +kubebuilder:printcolumn:name="Owner",type=string,JSONPath=`.metadata.ownerReferences[0].name`,description="Name of the translated object."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type Translation struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Resources are the wanted resources, in the order of creation. The list may
	// grow, never shrink, and a resource whose type cannot be replaced must not
	// change: a pusher without an inventory would not delete the old one.
	// +optional
	Resources []Resource `json:"resources,omitzero"`
}

// TranslationList is a list of Translations.
//
// +kubebuilder:object:root=true
type TranslationList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Translation `json:"items"`
}

// Resource is one resource of the backend.
type Resource struct {
	// Kind is the type of the resource in the backend, such as Bridge.
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-4]*$`
	Kind string `json:"kind"`
	// Parent is the id of the resource that contains this one, a lower-case UUID;
	// empty for a resource without a parent.
	// +kubebuilder:validation:Pattern=`^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$`
	// +optional
	Parent string `json:"parent"`
	// Body is the request body for the backend: a JSON object, as text on one line.
	// +kubebuilder:validation:Pattern=`^{.*}$`
	Body string `json:"body"`
}
