package control

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BindingPolicy says which workload objects go to which clusters. It is cluster-scoped; its name
// becomes its Binding's.
type BindingPolicy struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   BindingPolicySpec `json:"spec,omitzero"`
	Status *Status           `json:"status,omitempty"`
}

// BindingPolicySpec is what a policy wants.
type BindingPolicySpec struct {
	// ClusterSelectors select the clusters that any of them matches. None: no cluster.
	ClusterSelectors []metav1.LabelSelector `json:"clusterSelectors,omitzero"`
	// Downsync selects the objects that any of its clauses matches. None: no object.
	Downsync []DownsyncClause `json:"downsync,omitzero"`
}

// DownsyncClause is a test of objects, whose present parts must all hold, and what is asked for
// the objects that pass it.
type DownsyncClause struct {
	ObjectTest `json:",inline"`
	Modulation `json:",inline"`
}

// ObjectTest tests one object. At least one part must be present; an empty list is present.
type ObjectTest struct {
	// APIGroup is the group of the object; "" is the core group. Absent: any. There is no wildcard.
	APIGroup *string `json:"apiGroup,omitempty"`
	// Resources are lower-case plurals. Empty, or "*" anywhere in it: any.
	Resources []string `json:"resources,omitzero"`
	// Namespaces are names; "" stands for cluster-scoped objects. Empty, or "*" in it: any.
	Namespaces []string `json:"namespaces,omitzero"`
	// NamespaceSelectors test the labels of the object's namespace; any match is enough. Empty: any.
	NamespaceSelectors []metav1.LabelSelector `json:"namespaceSelectors,omitzero"`
	// ObjectSelectors test the labels of the object; any match is enough. Empty: any.
	ObjectSelectors []metav1.LabelSelector `json:"objectSelectors,omitzero"`
	// ObjectNames are whole names. Empty, or "*" in it: any.
	ObjectNames []string `json:"objectNames,omitzero"`
}

// Modulation is what is asked for a selected object. Over several matching clauses the flags are
// ORed and the collectors united.
type Modulation struct {
	// CreateOnly creates the object where it is missing and never updates it. Default false.
	CreateOnly bool `json:"createOnly,omitempty"`
	// StatusCollectors name the StatusCollectors that combine the object's statuses.
	StatusCollectors []string `json:"statusCollectors,omitempty"`
	// WantSingletonReportedState asks for the status of the one cluster that has the object.
	WantSingletonReportedState bool `json:"wantSingletonReportedState,omitempty"`
	// WantMultiWECReportedState asks for the aggregate of the statuses of all clusters.
	WantMultiWECReportedState bool `json:"wantMultiWECReportedState,omitempty"`
}

// Status is the status of a BindingPolicy or a Binding. A controller owns it; functions of
// Waybill neither read nor write it.
type Status struct {
	ObservedGeneration int64              `json:"observedGeneration"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Errors             []string           `json:"errors,omitempty"`
}
