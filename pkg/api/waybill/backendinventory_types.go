package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BackendInventory lists the resources that were applied to a backend, and operations that were begun.
// The pusher writes it; an edit changes what is deleted there.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=waybill
// +kubebuilder:printcolumn:name="Backend",type=string,JSONPath=`.spec.backend`,description="The BackendTable that was used."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type BackendInventory struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the inventory.
	Spec BackendInventorySpec `json:"spec"`
}

// BackendInventoryList is a list of BackendInventories.
//
// +kubebuilder:object:root=true
type BackendInventoryList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []BackendInventory `json:"items"`
}

// BackendInventorySpec lists the resources that were applied to a backend.
type BackendInventorySpec struct {
	// Backend is the name of the BackendTable that was used.
	// +kubebuilder:validation:MaxLength=253
	Backend string `json:"backend,omitempty"`
	// URL is the address of the API: scheme, host, port and path. Plans are refused at another address until a
	// user confirms that the backend has moved. Absent until the first plan is applied.
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// Next is the number of the next resource; above every number in use so far.
	Next int64 `json:"next,omitempty"`
	// Plan is the digest of the plan that was begun last: that plan may be continued.
	// +kubebuilder:validation:MaxLength=80
	Plan string `json:"plan,omitempty"`
	// Resources are the resources in the order in which they were created, by number.
	Resources []BackendRecord `json:"resources,omitempty"`
}

// States of a BackendRecord that is not known to be applied.
const (
	// StateCreating is the state of a new resource whose creation was begun.
	StateCreating = "Creating"
	// StateUnknown is the state of a resource whose replacement or deletion was begun, or that may have been
	// deleted with another.
	StateUnknown = "Unknown"
)

// BackendRecord is one resource that was applied.
type BackendRecord struct {
	// Number is unique, and in the order of creation.
	Number int64 `json:"number"`
	// Kind is its kind in the BackendTable.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// ID is its id, made by the rule of the BackendTable.
	// +kubebuilder:validation:MaxLength=512
	ID string `json:"id"`
	// Parent is the id of what holds it.
	// +kubebuilder:validation:MaxLength=256
	Parent string `json:"parent,omitempty"`
	// Hash is the SHA-256 of the body's canonical JSON: 64 hexadecimal digits.
	// +kubebuilder:validation:MaxLength=64
	Hash string `json:"hash"`
	// Fields are, for a kind that can be replaced, the fields of the body with eight digits of the
	// SHA-256 of each. It is used to find changes only.
	// +kubebuilder:validation:MaxLength=65536
	Fields string `json:"fields,omitempty"`
	// References are the other resources that its body may name, each as Kind/id.
	// +kubebuilder:validation:MaxItems=2500
	References []string `json:"references,omitempty"`
	// Translation is the namespace/name of the Translation it belongs to.
	// +kubebuilder:validation:MaxLength=317
	Translation string `json:"translation"`
	// Index is its place in that Translation, from 0.
	Index int32 `json:"index,omitempty"`
	// State is Creating or Unknown, and absent for an applied resource.
	// +kubebuilder:validation:MaxLength=16
	State string `json:"state,omitempty"`
}
