package midonet

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Translation is what one Kubernetes object, or a part of one, is to a MidoNet
// backend: resources that are created there in this order and deleted in the
// reverse one.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=tr
// +kubebuilder:printcolumn:name="Owner Kind",type=string,JSONPath=`.metadata.ownerReferences[0].kind`,description="Kind of the object that this is a translation of."
// +kubebuilder:printcolumn:name="Owner",type=string,JSONPath=`.metadata.ownerReferences[0].name`,description="Name of the object that this is a translation of."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
type Translation struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Resources are what the backend is to hold, in the order of creation. The list
	// may grow, never shrink, and a resource whose type cannot be replaced must not
	// change in place: a pusher without a memory would leave the old one behind.
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
	// empty for a resource that stands alone.
	// +kubebuilder:validation:Pattern=`^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$`
	// +optional
	Parent string `json:"parent"`
	// Body is what is sent to the backend: a JSON object, as text on one line.
	// +kubebuilder:validation:Pattern=`^{.*}$`
	Body string `json:"body"`
}
