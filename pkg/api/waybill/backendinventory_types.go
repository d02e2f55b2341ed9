package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BackendInventory is what was applied to a backend, and what was begun. The pusher writes it; who
// edits it decides what is deleted there.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=waybill
// +kubebuilder:printcolumn:name="Backend",type=string,JSONPath=`.spec.backend`,description="The BackendTable that it speaks of."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
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

// BackendInventorySpec is what was applied to a backend.
type BackendInventorySpec struct {
	// Backend is the name of the BackendTable by which it was applied.
	// +kubebuilder:validation:MaxLength=253
	Backend string `json:"backend,omitempty"`
	// URL is the address of the API at which it was applied: scheme, host, port and path. It is applied at no
	// other until a user says that the backend has moved. Absent until it is first applied.
	// +kubebuilder:validation:MaxLength=2048
	URL string `json:"url,omitempty"`
	// Next is the number that the next resource gets; above every number given so far.
	Next int64 `json:"next,omitempty"`
	// Plan is the digest of the plan that was begun last: that plan may be taken up again.
	// +kubebuilder:validation:MaxLength=80
	Plan string `json:"plan,omitempty"`
	// Resources are the resources in the order in which they were created, by number.
	Resources []BackendRecord `json:"resources,omitempty"`
}

// States of a BackendRecord that is not known to be applied.
const (
	// StateCreating is the state of a resource whose creation was begun where nothing was before.
	StateCreating = "Creating"
	// StateUnknown is the state of a resource whose replacement or deletion was begun, or that may have
	// gone with another.
	StateUnknown = "Unknown"
)

// BackendRecord is one resource that was applied.
type BackendRecord struct {
	// Number tells it from all others, and which was created first.
	Number int64 `json:"number"`
	// Kind is its kind in the BackendTable.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// ID is its id, made as the BackendTable says.
	// +kubebuilder:validation:MaxLength=512
	ID string `json:"id"`
	// Parent is the id of what holds it.
	// +kubebuilder:validation:MaxLength=256
	Parent string `json:"parent,omitempty"`
	// Hash is the SHA-256 of the body's canonical JSON: 64 hexadecimal digits.
	// +kubebuilder:validation:MaxLength=64
	Hash string `json:"hash"`
	// Fields are, for a kind that can be replaced, the fields of the body with eight digits of the
	// SHA-256 of each. It serves to tell what changed, nothing else.
	// +kubebuilder:validation:MaxLength=65536
	Fields string `json:"fields,omitempty"`
	// References are what its body may name besides its parent, each as Kind/id.
	// +kubebuilder:validation:MaxItems=2500
	References []string `json:"references,omitempty"`
	// Translation is the namespace/name of the Translation it belongs to.
	// +kubebuilder:validation:MaxLength=317
	Translation string `json:"translation"`
	// Index is its place in that Translation, from 0.
	Index int32 `json:"index,omitempty"`
	// State is Creating or Unknown, and absent for what is applied.
	// +kubebuilder:validation:MaxLength=16
	State string `json:"state,omitempty"`
}
