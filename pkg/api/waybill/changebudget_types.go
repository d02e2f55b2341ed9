package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ChangeBudget bounds what one pass of the reconciler may change: above it,
// nothing of what the pass wants for the selected PackageVariants is
// committed, and the reason stands in their status. A pass is one look at all
// variants that have something to do. When several budgets select a variant,
// each of them must be kept.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=budget,categories=waybill
// +kubebuilder:printcolumn:name="Clusters",type=integer,JSONPath=`.spec.maxClusters`,description="Most clusters that one pass may change; no limit when empty."
// +kubebuilder:printcolumn:name="Objects",type=integer,JSONPath=`.spec.maxObjects`,description="Most objects that one pass may change; no limit when empty."
// +kubebuilder:printcolumn:name="Deletions",type=integer,JSONPath=`.spec.maxDeletions`,description="Most objects that one pass may delete; no limit when empty."
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True while the budget is understood and held against every pass."
// +kubebuilder:printcolumn:name="Exceeded",type=string,JSONPath=`.status.conditions[?(@.type=="Exceeded")].status`,description="True while the last pass was held back."
// +kubebuilder:printcolumn:name="Message",type=string,priority=1,JSONPath=`.status.conditions[?(@.type=="Exceeded")].message`,description="Why Exceeded is what it is."
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was made."
type ChangeBudget struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec says how much may change at once. Everything in it may change at any
	// time and counts from the next pass on.
	Spec ChangeBudgetSpec `json:"spec,omitzero"`
	// Status says how the last pass stood; the controller writes it.
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

// ChangeBudgetSpec says how much may change at once.
type ChangeBudgetSpec struct {
	// Selector selects, by label, PackageVariants in the budget's namespace. What
	// they want is added up. Absent or empty selects all of them.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// MaxClusters is the most clusters that one pass may change something for, 0
	// or more; 0 allows none. Absent: no limit.
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

// ChangeBudgetStatus says how the last pass stood.
type ChangeBudgetStatus struct {
	// Conditions hold Ready and Exceeded. Ready is True while the budget is
	// understood and held against every pass, False while its spec is wrong.
	// Exceeded is True while the last pass was held back, False otherwise.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// ObservedGeneration is the metadata.generation that this status speaks of.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}
