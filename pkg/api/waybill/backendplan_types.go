package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BackendPlan lists the operations, in order, that give a backend the resources of the Translations.
// Bodies are in it as they are sent: readers of the plan can read them.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=waybill
// +kubebuilder:printcolumn:name="Backend",type=string,JSONPath=`.spec.backend`,description="The BackendTable that it was made with."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
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

// BackendPlanSpec lists the operations on a backend.
type BackendPlanSpec struct {
	// Backend is the name of the BackendTable it was made with.
	// +kubebuilder:validation:MaxLength=253
	Backend string `json:"backend,omitempty"`
	// Inventory is the inventory it was made from; it cannot be applied to another.
	Inventory BackendPlanInventory `json:"inventory"`
	// Operations are the operations, in order.
	Operations []BackendOperation `json:"operations,omitempty"`
	// Problems are faults of Translations. The resources of such a Translation stay as they are.
	Problems []BackendProblem `json:"problems,omitempty"`
}

// BackendPlanInventory identifies an inventory.
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
	// OpReasonChanged: its body is different.
	OpReasonChanged = "changed"
	// OpReasonParentChanged: it has another parent.
	OpReasonParentChanged = "parent-changed"
	// OpReasonParentGoes: its parent is deleted, for good or to be created again.
	OpReasonParentGoes = "parent-goes"
	// OpReasonReferenceGoes: a resource that it names is deleted, for good or to be created again.
	OpReasonReferenceGoes = "reference-goes"
	// OpReasonOrder: it must be created after another that is created.
	OpReasonOrder = "order"
	// OpReasonInterrupted: an operation on it was begun, and its result is not known.
	OpReasonInterrupted = "interrupted"
	// OpReasonNotDesired: it is in no Translation.
	OpReasonNotDesired = "not-desired"
	// OpReasonMoved: it has another Translation, or another place in it.
	OpReasonMoved = "moved"
)

// BackendOperation is one operation.
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
	// Translation is the namespace/name of its Translation, now or when it was created.
	// +kubebuilder:validation:MaxLength=317
	Translation string `json:"translation"`
	// Index is its place in that Translation, from 0.
	Index int32 `json:"index,omitempty"`
	// Number is its number in the inventory; absent if it is not there.
	Number int64 `json:"number,omitempty"`
	// Reason is the reason.
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason"`
	// Cause is the other resource that is the reason, if one is.
	// +kubebuilder:validation:MaxLength=1024
	Cause string `json:"cause,omitempty"`
	// Changed are the fields of the body that a replacement changes, in order.
	Changed []string `json:"changed,omitempty"`
	// Body is the request body, as in the Translation.
	Body string `json:"body,omitempty"`
}

// BackendProblem is a fault of a Translation.
type BackendProblem struct {
	// Translation is its namespace/name.
	// +kubebuilder:validation:MaxLength=317
	Translation string `json:"translation"`
	// Index is the place of the resource in it, from 0; absent for a fault of the whole.
	Index *int32 `json:"index,omitempty"`
	// Message describes the fault, on one line.
	Message string `json:"message"`
}
