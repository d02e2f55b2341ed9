package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ChangeBudget limits the changes of one pass of the reconciler: above the
// limit, no change to the selected PackageVariants is committed, and the
// reason is in their status. A pass handles all variants with pending work.
// When several budgets select a variant, all of them apply.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=budget,categories=waybill
// +kubebuilder:printcolumn:name="Clusters",type=integer,JSONPath=`.spec.maxClusters`,description="Most clusters that one pass may change; no limit when empty."
// +kubebuilder:printcolumn:name="Objects",type=integer,JSONPath=`.spec.maxObjects`,description="Most objects that one pass may change; no limit when empty."
// +kubebuilder:printcolumn:name="Deletions",type=integer,JSONPath=`.spec.maxDeletions`,description="Most objects that one pass may delete; no limit when empty."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while the budget is valid and applied to every pass."
// +kubebuilder:printcolumn:name="Exceeded",type=string,JSONPath=`.status.conditions[?(@.type=="Exceeded")].status`,description="True while the last pass was held back."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Exceeded")].message`,description="The reason of the condition Exceeded."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type ChangeBudget struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec is the limits. They may change at any time, and apply from the next
	// pass on.
	Spec ChangeBudgetSpec `json:"spec,omitzero"`
	// Status is the result of the last pass; the controller writes it.
	Status ChangeBudgetStatus `json:"status,omitzero"`
}

// ChangeBudgetList is a list of ChangeBudgets.
//
// +kubebuilder:object:root=true
type ChangeBudgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ChangeBudget `json:"items"`
}

// ChangeBudgetSpec is the limits of one pass.
type ChangeBudgetSpec struct {
	// Selector selects, by label, PackageVariants in the budget's namespace. Their
	// changes are added up. Absent or empty selects all of them.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// MaxClusters is the most clusters with changes in one pass, 0 or more; 0
	// allows none. Absent: no limit.
	// +kubebuilder:validation:Minimum=0
	MaxClusters *int32 `json:"maxClusters,omitempty"`
	// MaxObjects is the most objects that one pass may create, change or delete, 0
	// or more; 0 allows none. Absent: no limit.
	// +kubebuilder:validation:Minimum=0
	MaxObjects *int32 `json:"maxObjects,omitempty"`
	// MaxDeletions is the most objects that one pass may delete, 0 or more; 0
	// allows none. Absent: no limit but MaxObjects.
	// +kubebuilder:validation:Minimum=0
	MaxDeletions *int32 `json:"maxDeletions,omitempty"`
}

// ChangeBudgetStatus is the result of the last pass.
type ChangeBudgetStatus struct {
	// Conditions hold Ready and Exceeded. Ready is True while the budget is
	// valid and applied to every pass, False while its spec is invalid.
	// Exceeded is True while the last pass was held back, False otherwise.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// ObservedGeneration is the metadata.generation of this status.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
