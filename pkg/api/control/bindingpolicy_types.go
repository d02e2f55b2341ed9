package control

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BindingPolicy selects workload objects and the clusters that receive them. It is cluster-scoped; its
// Binding has the same name.
type BindingPolicy struct {
	TypeMeta          `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   BindingPolicySpec `json:"spec,omitzero"`
	Status *Status           `json:"status,omitempty"`
}

// BindingPolicySpec is the selectors of a policy.
type BindingPolicySpec struct {
	// ClusterSelectors select clusters; any match is enough. None: no cluster.
	ClusterSelectors []metav1.LabelSelector `json:"clusterSelectors,omitzero"`
	// Downsync selects objects; a match of any clause is enough. None: no object.
	Downsync []DownsyncClause `json:"downsync,omitzero"`
}

// DownsyncClause is a test of objects, of which all present parts must match, and the modulation of the
// objects that pass it.
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
	// ObjectNames are full names. Empty, or "*" in it: any.
	ObjectNames []string `json:"objectNames,omitzero"`
}

// Modulation is the settings for a selected object. For several matching clauses the flags are ORed and
// the collectors joined.
type Modulation struct {
	// CreateOnly creates the object if it is missing and never updates it. Default false.
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
