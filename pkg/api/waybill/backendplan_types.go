package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BackendPlan is what has to be done to a backend for it to hold what Translations ask for, in
// order. Bodies are in it as they are sent: who may read it may read them.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=waybill
// +kubebuilder:printcolumn:name="Backend",type=string,JSONPath=`.spec.backend`,description="The BackendTable that it was made with."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
type BackendPlan struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the plan.
	Spec BackendPlanSpec `json:"spec"`
}

// BackendPlanList is a list of BackendPlans.
//
// +kubebuilder:object:root=true
type BackendPlanList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []BackendPlan `json:"items"`
}

// BackendPlanSpec is what has to be done to a backend.
type BackendPlanSpec struct {
	// Backend is the name of the BackendTable it was made with.
	// +kubebuilder:validation:MaxLength=253
	Backend string `json:"backend,omitempty"`
	// Inventory is the inventory it was made from; it is applied to no other.
	Inventory BackendPlanInventory `json:"inventory"`
	// Operations are the operations, in order.
	Operations []BackendOperation `json:"operations,omitempty"`
	// Problems are what is wrong with Translations. What such a Translation has stays as it is.
	Problems []BackendProblem `json:"problems,omitempty"`
}

// BackendPlanInventory tells an inventory from others.
type BackendPlanInventory struct {
	// Digest is the SHA-256 of its content: 64 hexadecimal digits.
	// +kubebuilder:validation:MaxLength=64
	Digest string `json:"digest"`
	// Next is its next number.
	Next int64 `json:"next,omitempty"`
}

// Operations of a plan.
const (
	// OpCreate sends a POST.
	OpCreate = "create"
	// OpReplace sends a PUT.
	OpReplace = "replace"
	// OpDelete sends a DELETE.
	OpDelete = "delete"
	// OpMove sends nothing: a resource has another Translation, or another place in it.
	OpMove = "move"
)

// Reasons of operations.
const (
	// OpReasonNew: the inventory does not have it.
	OpReasonNew = "new"
	// OpReasonChanged: its body is another one.
	OpReasonChanged = "changed"
	// OpReasonParentChanged: it has another parent.
	OpReasonParentChanged = "parent-changed"
	// OpReasonParentGoes: its parent is deleted, to be created anew or for good, and it with it.
	OpReasonParentGoes = "parent-goes"
	// OpReasonReferenceGoes: something that it names is deleted, to be created anew or for good.
	OpReasonReferenceGoes = "reference-goes"
	// OpReasonOrder: it has to be created after one that is created.
	OpReasonOrder = "order"
	// OpReasonInterrupted: an operation on it was begun, and how it ended is not known.
	OpReasonInterrupted = "interrupted"
	// OpReasonNotDesired: no Translation asks for it.
	OpReasonNotDesired = "not-desired"
	// OpReasonMoved: it has another Translation, or another place in it.
	OpReasonMoved = "moved"
)

// BackendOperation is one thing to do.
type BackendOperation struct {
	// Op is create, replace, delete or move.
	// +kubebuilder:validation:MaxLength=16
	Op string `json:"op"`
	// Kind is the kind of the resource in the BackendTable.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// ID is its id.
	// +kubebuilder:validation:MaxLength=512
	ID string `json:"id"`
	// Parent is the id of what holds it.
	// +kubebuilder:validation:MaxLength=256
	Parent string `json:"parent,omitempty"`
	// Translation is the namespace/name of the Translation that asks for it, or did when it was created.
	// +kubebuilder:validation:MaxLength=317
	Translation string `json:"translation"`
	// Index is its place in that Translation, from 0.
	Index int32 `json:"index,omitempty"`
	// Number is its number in the inventory; absent for what the inventory does not have.
	Number int64 `json:"number,omitempty"`
	// Reason is why.
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason"`
	// Cause is the other resource that is the reason, if one is.
	// +kubebuilder:validation:MaxLength=1024
	Cause string `json:"cause,omitempty"`
	// Changed are the fields of the body that a replacement changes, in order.
	Changed []string `json:"changed,omitempty"`
	// Body is what is sent, as the Translation has it.
	Body string `json:"body,omitempty"`
}

// BackendProblem is something wrong with a Translation.
type BackendProblem struct {
	// Translation is its namespace/name.
	// +kubebuilder:validation:MaxLength=317
	Translation string `json:"translation"`
	// Index is the place of the resource in it, from 0; absent when it is not about one.
	Index *int32 `json:"index,omitempty"`
	// Message says what is wrong, on one line.
	Message string `json:"message"`
}
